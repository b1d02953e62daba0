import { type FormatName, objectOf } from '@tollgate/formats'
import type { Draft } from './draft.ts'
import type { Effort } from './target-profile.ts'

/** Member of a format that holds the effort. */
export interface EffortPosition {
  readonly field: string
  read(draft: Draft): unknown
  write(draft: Draft, effort: Effort | undefined): void
}

export const inChat: EffortPosition = {
  field: 'reasoning_effort',
  read: (draft) => draft.get('reasoning_effort'),
  write: (draft, effort) =>
    effort === undefined ? draft.remove('reasoning_effort') : draft.set('reasoning_effort', effort),
}

/** Beside the effort stands how the reasoning is shown. */
export const inResponses: EffortPosition = inMember('reasoning')

/** Beside the effort stands the form of the response. */
export const inOutputConfig: EffortPosition = inMember('output_config')

/** An effort inside of an object of the body, which goes with the last of its members. */
function inMember(name: string): EffortPosition {
  return {
    field: `${name}.effort`,
    read: (draft) => objectOf(draft.get(name)).effort ?? undefined,
    write(draft, effort) {
      const { effort: _former, ...others } = objectOf(draft.get(name))
      const members = effort === undefined ? others : { ...others, effort }
      if (Object.keys(members).length === 0) draft.remove(name)
      else draft.set(name, members)
    },
  }
}

const positions: Partial<Record<FormatName, EffortPosition>> = {
  'openai-chat': inChat,
  'openai-responses': inResponses,
  'anthropic-messages': inOutputConfig,
}

/** The place of a format; `undefined` for one that has none, or a form of its own. */
export function effortPositionOf(format: string): EffortPosition | undefined {
  return positions[format as FormatName]
}
