// The view Approvals, until its parts are there.
import { EmptyState } from '../../ui/states';

export default function Approvals() {
  return <EmptyState icon="info" title="Approvals is not part of this build" />;
}
