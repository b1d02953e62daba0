const focusable = 'input, textarea, select, button'

/** Brings a field into view and puts the cursor there, unfolding the section it is in. */
export function revealField(form: HTMLElement | null, selector: string): void {
  const field = form?.querySelector<HTMLElement>(selector)
  if (!field) return
  const section = field.closest('details')
  if (section) section.open = true
  field.scrollIntoView({ block: 'center' })
  field.querySelector<HTMLElement>(focusable)?.focus({ preventScroll: true })
}

/** Brings the head of a section into view, unfolding it. */
export function revealSection(form: HTMLElement | null, id: string): void {
  const section = form?.querySelector<HTMLElement>(`#${CSS.escape(id)}`)
  if (section instanceof HTMLDetailsElement) section.open = true
  section?.scrollIntoView({ block: 'start' })
}
