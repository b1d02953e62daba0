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

/**
 * Puts the cursor into the first field when the form came later than its sheet, whose first focus found nothing but
 * the button that closes it. Not on a touch screen, where the keyboard would cover the form.
 */
export function focusLateForm(form: HTMLElement | null): void {
  const focused = document.activeElement
  if (window.matchMedia('(pointer: coarse)').matches || !focused?.closest('[role="dialog"] header')) return
  form
    ?.querySelector<HTMLElement>('[data-field] :is(input, textarea, button)')
    ?.focus({ preventScroll: true })
}

/** Brings the head of a section into view, unfolding it. */
export function revealSection(form: HTMLElement | null, id: string): void {
  const section = form?.querySelector<HTMLElement>(`#${CSS.escape(id)}`)
  if (section instanceof HTMLDetailsElement) section.open = true
  section?.scrollIntoView({ block: 'start' })
}
