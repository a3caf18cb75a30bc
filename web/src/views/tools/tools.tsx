// The view Tools, until its parts are there.
import { EmptyState } from '../../ui/states';

export default function Tools() {
  return <EmptyState icon="info" title="Tools is not part of this build" />;
}
