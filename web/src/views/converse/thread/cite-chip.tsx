// A numbered citation in an answer: opens the record beside the thread.
import { query, setQuery } from '../../../app/router';
import { visible } from '../../../ui/visible';

export interface CiteChipProps {
  id: string;
  number: number;
  title: string;
}

export function CiteChip({ id, number, title }: CiteChipProps) {
  const open = query.value.get('record') === id;
  return (
    <button
      type="button"
      class="cite num"
      title={visible(title)}
      aria-label={`Source ${number}: ${visible(title)}`}
      aria-expanded={open}
      onClick={() => setQuery({ record: open ? undefined : id }, { replace: false })}
    >
      {number}
    </button>
  );
}
