// The Inspector: one turn on one time axis.
export default function Inspector({ conversationId, turn }: { conversationId: string; turn: number }) {
  return <aside class="panel">{conversationId} {turn}</aside>;
}
