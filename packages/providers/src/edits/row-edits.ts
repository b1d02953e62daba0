import type { RequestQuirks, RequestText } from '@tollgate/formats'
import type { EditName, Lack, RowEdit } from '../provider-row.ts'
import { clampNumber, mergeEdits, noEdits, removeFields, renameField } from './json-edits.ts'
import {
  changedMessages,
  developerAsSystem,
  editMessages,
  mergeNeighbours,
  messagesEdit,
  omitMembers,
} from './message-edits.ts'
import { xaiReasoning } from './xai-reasoning.ts'

/** Vectors are floats by default, and the upstream refuses a field that says so. */
const floatByDefault: RequestQuirks = (request) =>
  request.body.encoding_format === 'float' ? removeFields(request, ['encoding_format']) : noEdits

/** Edits of chat, completions and embeddings, by the names that rows have for them. */
const namedEdits: Readonly<Record<EditName, RequestQuirks>> = {
  'alternating-roles': mergeNeighbours,
  'float-by-default': floatByDefault,
  'xai-reasoning': xaiReasoning,
}

/** The function of a row's edit. */
export function editOf(edit: RowEdit): RequestQuirks {
  if (typeof edit === 'string') return namedEdits[edit]
  if ('clamp' in edit) return (request) => clampNumber(request, edit.clamp, edit.least, edit.most)
  if ('rename' in edit) return (request) => renameField(request, edit.rename, edit.to)
  if ('remove' in edit) return (request) => removeFields(request, edit.remove)
  return (request) => editMessages(request, (message) => omitMembers(message, edit.removeFromMessages))
}

/** Several edits as one, all of the same request; `undefined` for none. */
export function joinEdits(...edits: readonly (RequestQuirks | undefined)[]): RequestQuirks | undefined {
  const all = edits.filter((edit) => edit !== undefined)
  const [only] = all
  if (all.length < 2) return only
  return (request, model) => mergeEdits(...all.map((edit) => edit(request, model)))
}

/**
 * Edits of a chat request into the names that the upstream has, and its other edits of what comes of it: `max_tokens` for
 * `max_completion_tokens`, the role `system` for `developer`.
 */
export function withoutNewerNames(
  lacks: readonly Lack[] | undefined,
  edit: RequestQuirks | undefined,
): RequestQuirks | undefined {
  const lacksLimit = lacks?.includes('max_completion_tokens') === true
  const lacksRole = lacks?.includes('developer') === true
  if (!lacksLimit && !lacksRole) return edit
  return (request, model) => {
    const limit = lacksLimit ? olderLimit(request) : noEdits
    const messages = lacksRole ? changedMessages(request, developerAsSystem) : undefined
    if (messages === undefined) return mergeEdits(limit, edit?.(request, model) ?? noEdits)
    const edited = { ...request, body: { ...request.body, messages } }
    return mergeEdits(limit, messagesEdit(messages), edit?.(edited, model) ?? noEdits)
  }
}

function olderLimit(request: RequestText) {
  return mergeEdits(
    removeFields(request, ['max_completion_tokens']),
    renameField(request, 'max_completion_tokens', 'max_tokens'),
  )
}
