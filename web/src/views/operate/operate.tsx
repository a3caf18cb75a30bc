// The view Operate, until its parts are there.
import { EmptyState } from '../../ui/states';

export default function Operate() {
  return <EmptyState icon="info" title="Operate is not part of this build" />;
}
