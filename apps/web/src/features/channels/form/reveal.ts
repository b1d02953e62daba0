import { isFocusUnmoved } from '../../../components/ui/overlay/focus-unmoved.ts'

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

/** Puts the cursor into the first field when the form came later than its sheet, whose first focus finds or found no field. */
export function focusLateForm(form: HTMLElement | null): void {
  if (isFocusUnmoved()) focusFirstField(form)
}

/**
 * Brings the head of a section into view, unfolding it, and puts the cursor into its first field: a focus that its sheet has yet to give
 * would go to the first field of all, and scroll the form back to it.
 */
export function revealSection(form: HTMLElement | null, id: string): void {
  const section = form?.querySelector<HTMLElement>(`#${CSS.escape(id)}`) ?? null
  if (section instanceof HTMLDetailsElement) section.open = true
  section?.scrollIntoView({ block: 'start' })
  focusFirstField(section)
}

/** Not on a touch screen, where the keyboard would cover the form. */
function focusFirstField(within: HTMLElement | null): void {
  if (window.matchMedia('(pointer: coarse)').matches) return
  within
    ?.querySelector<HTMLElement>('[data-field] :is(input, textarea, button[role="combobox"]):not(:disabled)')
    ?.focus({ preventScroll: true })
}
