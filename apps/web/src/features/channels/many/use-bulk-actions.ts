import { useQueryClient } from '@tanstack/react-query'
import { channelStatuses, type RowOutcome } from '@tollgate/api'
import {
  ArrowUpNarrowWide,
  type LucideIcon,
  Power,
  PowerOff,
  Scale,
  TagIcon,
  Trash2,
  Zap,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { BulkAction } from '../../../components/list/index.ts'
import { deleteMany, refreshed, tagMany, updateMany } from './api.ts'
import type { AskValue } from './bulk-value.ts'

type Outcomes = readonly RowOutcome[]
type Kind = 'test' | 'enable' | 'disable' | 'tag' | 'priority' | 'weight' | 'delete'

/** What can be done to many channels at once. */
export function useBulkActions(
  ask: AskValue,
  test: (ids: readonly number[]) => Promise<Outcomes>,
): readonly BulkAction[] {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const action = (
    id: Kind,
    icon: LucideIcon,
    run: (ids: readonly number[]) => Promise<Outcomes | undefined>,
  ): BulkAction => ({
    id,
    icon,
    label: t(`bulk.${id}`),
    run: (ids) => refreshed(client, run(ids)),
    done: (count) => t(`bulk.${id}Done`, { count }),
    failed: (count) => t(`bulk.${id}Failed`, { count }),
  })
  const { enabled, disabled } = channelStatuses
  const setNumber = (field: 'priority' | 'weight') => async (ids: readonly number[]) => {
    const answer = await ask(field, ids.length)
    return answer === undefined ? undefined : await updateMany(ids, { [field]: Number(answer.value) })
  }
  return [
    action('test', Zap, test),
    action('enable', Power, (ids) => updateMany(ids, { status: enabled })),
    action('disable', PowerOff, (ids) => updateMany(ids, { status: disabled })),
    action('tag', TagIcon, async (ids) => {
      const answer = await ask('tag', ids.length)
      return answer === undefined ? undefined : await tagMany(ids, answer.value)
    }),
    action('priority', ArrowUpNarrowWide, setNumber('priority')),
    action('weight', Scale, setNumber('weight')),
    {
      ...action('delete', Trash2, deleteMany),
      danger: true,
      question: (count) => ({
        title: t('bulk.deleteTitle', { count }),
        description: t('delete.description'),
        confirmLabel: t('bulk.deleteConfirm', { count }),
        danger: true,
      }),
    },
  ]
}
