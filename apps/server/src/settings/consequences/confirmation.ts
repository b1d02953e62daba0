import { createHash } from 'node:crypto'
import {
  type ConfirmationRequest,
  type Consent,
  type Consequence,
  fillText,
  type Language,
  priceTexts,
  refusalTexts,
} from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'

/** More are counted, and not named: the ones that are farthest off come first. */
const maxNamed = 20

/** A change is not saved before its consequences are confirmed. Its message names them in the reader's language. */
export class ConfirmationRequired extends Refusal {
  readonly consequences: readonly Consequence[]
  /** Token that confirms these consequences, and no others. */
  readonly confirmation: string

  constructor(consequences: readonly Consequence[]) {
    const confirmation = confirmationOf(consequences)
    const extra: ConfirmationRequest = {
      confirmation,
      consequences: consequences.slice(0, maxNamed),
      groups: consequences.filter(isOfGroup).map(({ details }) => String(details['group'])),
    }
    super('confirmation_required', { consequences: sentencesOf(consequences, 'en') }, { extra: { ...extra } })
    this.consequences = consequences
    this.confirmation = confirmation
  }

  override publicMessage(language: Language): string {
    const consequences = sentencesOf(this.consequences, language)
    return fillText(refusalTexts.confirmation_required[language], { consequences }, language)
  }
}

/**
 * Refuses a change whose consequences were not confirmed as they are now. What was confirmed for other figures does not count.
 * @throws ConfirmationRequired with all of them
 */
export function requireConfirmation(consequences: readonly Consequence[], { confirmation }: Consent): void {
  if (consequences.length === 0) return
  const isOpen = consequences.some(isOfGroup)
  if (isOpen || confirmation !== confirmationOf(consequences)) throw new ConfirmationRequired(consequences)
}

/** Recognises the consequence that nobody can confirm: people without a group are moved. */
function isOfGroup({ code }: Consequence): boolean {
  return code === 'group_in_use'
}

function confirmationOf(consequences: readonly Consequence[]): string {
  return createHash('sha256').update(JSON.stringify(consequences)).digest('hex').slice(0, 16)
}

const separators: Readonly<Record<Language, string>> = { en: ' ', zh: '' }
const others: Readonly<Record<Language, string>> = {
  en: '{count} more like these.',
  zh: '另有 {count} 项。',
}

function sentencesOf(consequences: readonly Consequence[], language: Language): string {
  const named = consequences.slice(0, maxNamed)
  const sentences = named.map(({ code, details }) =>
    fillText(refusalTexts[code][language], priceTexts(details, language), language),
  )
  const count = consequences.length - named.length
  if (count > 0) sentences.push(fillText(others[language], { count }, language))
  return sentences.join(separators[language])
}
