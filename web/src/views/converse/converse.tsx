// The view Converse.
import { EmptyState } from '../../ui/states';

export default function Converse() {
  return <EmptyState icon="wave" title="Converse" />;
}
