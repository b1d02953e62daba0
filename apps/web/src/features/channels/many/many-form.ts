import type { ChannelBatchPreview, ListChangeMode } from '@tollgate/api'
import type { ManyChange } from './api.ts'

/** Values for a change of many channels. A field without one changes nothing. */
export interface ManyForm {
  readonly models: ListDraft
  readonly group: ListDraft
  readonly priority: number | undefined
  readonly weight: number | undefined
  readonly tag: TextDraft
  readonly proxy: TextDraft
}

/** A change of a list of names. */
export interface ListDraft {
  readonly mode: 'keep' | ListChangeMode
  readonly names: readonly string[]
}

/** A change of a text that may also be taken off. */
export interface TextDraft {
  readonly mode: 'keep' | 'set' | 'clear'
  readonly text: string
}

export const blankManyForm: ManyForm = {
  models: { mode: 'keep', names: [] },
  group: { mode: 'keep', names: [] },
  priority: undefined,
  weight: undefined,
  tag: { mode: 'keep', text: '' },
  proxy: { mode: 'keep', text: '' },
}

/** The form on the wire; `undefined` while nothing would change. */
export function manyChangeOf(form: ManyForm): ManyChange | undefined {
  const change: ManyChange = {
    ...listOf('models', form.models),
    ...listOf('group', form.group),
    ...(form.priority !== undefined && { priority: form.priority }),
    ...(form.weight !== undefined && { weight: form.weight }),
    ...textOf('tag', form.tag),
    ...textOf('proxy', form.proxy),
  }
  return Object.keys(change).length === 0 ? undefined : change
}

/** Models and groups that channels may lose by a change, as the question about it has them; `undefined` where they lose none. */
export function lossOf({ models, group }: Pick<ManyForm, 'models' | 'group'>) {
  const loss = {
    ...(models.mode === 'remove' && { lost_models: models.names.join(',') }),
    ...(models.mode === 'replace' && { models: models.names.join(',') }),
    ...(group.mode === 'remove' && { lost_groups: group.names.join(',') }),
    ...(group.mode === 'replace' && { group: group.names.join(',') }),
  }
  return Object.keys(loss).length === 0 ? undefined : loss
}

function listOf(field: 'models' | 'group', { mode, names }: ListDraft): ManyChange {
  return mode === 'keep' || names.length === 0 ? {} : { [field]: { mode, names: names.join() } }
}

function textOf(field: 'tag' | 'proxy', { mode, text }: TextDraft): ManyChange {
  if (mode === 'clear') return { [field]: '' }
  return mode === 'keep' || text.trim() === '' ? {} : { [field]: text.trim() }
}

/** Counts the channels that a preview would change, refuse and leave. */
export function countPreview(previews: readonly ChannelBatchPreview[]) {
  const refused = previews.filter(({ message }) => message !== '').length
  const changed = previews.filter(({ changes }) => changes.length > 0).length
  return { changed, refused, same: previews.length - changed - refused }
}

/** Those that need a look first: refused ones, then those that change. */
export function inPreviewOrder(previews: readonly ChannelBatchPreview[]): readonly ChannelBatchPreview[] {
  const rank = ({ message, changes }: ChannelBatchPreview) =>
    message !== '' ? 0 : changes.length > 0 ? 1 : 2
  return [...previews].sort((a, b) => rank(a) - rank(b))
}
