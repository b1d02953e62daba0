import { type FormatName, objectOf } from '@tollgate/formats'
import type { Draft } from './draft.ts'
import type { Effort } from './target-profile.ts'

/** Member of a format that holds the effort. */
export interface EffortMember {
  readonly field: string
  read(draft: Draft): unknown
  write(draft: Draft, effort: Effort | undefined): void
}

export const inChat: EffortMember = {
  field: 'reasoning_effort',
  read: (draft) => draft.get('reasoning_effort'),
  write: (draft, effort) =>
    effort === undefined ? draft.remove('reasoning_effort') : draft.set('reasoning_effort', effort),
}

/** Beside the effort stands how the reasoning is shown. */
export const inResponses: EffortMember = inMember('reasoning')

/** Beside the effort stands the form of the response. */
export const inOutputConfig: EffortMember = inMember('output_config')

/** An effort inside of an object of the body, which goes with the last of its members. */
function inMember(name: string): EffortMember {
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

const members: Partial<Record<FormatName, EffortMember>> = {
  'openai-chat': inChat,
  'openai-responses': inResponses,
  'anthropic-messages': inOutputConfig,
}

/** The place of a format; `undefined` for one that has none, or a form of its own. */
export function effortMemberOf(format: string): EffortMember | undefined {
  return members[format as FormatName]
}
