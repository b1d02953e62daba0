/** Choices that several lists are filtered by. */
import { calls } from '@tollgate/api'
import { request } from '../../lib/api/api-client.ts'
import { currentUser, hasPart } from '../../lib/session/session.ts'
import type { Choice } from '../ui/select/choice-list.tsx'
import type { ChoicesQuery } from './list-filters.tsx'

/** Every group, for administrators. */
export const groupChoices: ChoicesQuery = {
  queryKey: ['choices', 'groups'],
  queryFn: async ({ signal }) => choicesOf(await request(calls.groups.list, { signal })),
}

const visibleChannels = 100

/** The first channels, for administrators; any other is found by its number. */
export const channelChoices: ChoicesQuery = {
  queryKey: ['choices', 'channels'],
  queryFn: async ({ signal }) => {
    if (!hasPart(currentUser(), 'channels')) return []
    const channels = await request(calls.channels.list, {
      query: { p: 0, page_size: visibleChannels },
      signal,
    })
    return channels.map(({ id, name }) => ({ value: String(id), label: name, hint: `#${id}` }))
  },
}

/** Names that say what they are. */
export function choicesOf(names: readonly string[]): readonly Choice[] {
  return names.map((value) => ({ value }))
}

/** Words, each with its label. */
export function labelledChoices<Word extends string>(
  words: readonly Word[],
  label: (word: Word) => string,
): readonly Choice[] {
  return words.map((value) => ({ value, label: label(value) }))
}

/** Numbers of the wire, each with the label of its name. */
export function numberChoices<Name extends string>(
  numbers: Readonly<Record<Name, number>>,
  label: (name: Name) => string,
): readonly Choice[] {
  const entries = Object.entries(numbers) as [Name, number][]
  return entries.map(([name, number]) => ({ value: String(number), label: label(name) }))
}

/** Text that matches no choice is taken as it was typed. */
export const asTyped = (text: string): string => text

/** `7` and `#7` name a record by its number where it is not among the choices. */
export function typedNumber(text: string): string | undefined {
  return /^#?(\d{1,15})$/.exec(text)?.[1]
}
