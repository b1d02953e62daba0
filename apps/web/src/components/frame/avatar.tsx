/** First letter of a name in a circle. */
export function Avatar({ name }: { readonly name: string }) {
  return (
    <span
      aria-hidden
      className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-2xs text-accent-text"
    >
      {(name.trim()[0] ?? '?').toUpperCase()}
    </span>
  )
}
