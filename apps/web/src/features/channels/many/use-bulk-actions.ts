import type { RowOutcome } from '@tollgate/api'
import { ArrowUpNarrowWide, Scale, TagIcon, Zap } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type BulkAction, useBulkAction, useResourceActions } from '../../../components/list/index.ts'
import { channelApi } from '../api.ts'
import { tagMany, updateMany } from './api.ts'
import type { AskValue, BulkField } from './value-dialog.tsx'

/** What can be done to many channels at once. */
export function useBulkActions(
  ask: AskValue,
  test: (ids: readonly number[]) => Promise<readonly RowOutcome[]>,
): readonly BulkAction[] {
  const { t } = useTranslation('channels')
  const status = useResourceActions(channelApi, 'channels')
  const action = useBulkAction<BulkField | 'test'>({
    text: (name, count) => t(`bulk.${name}`, { count }),
    lists: channelApi.lists,
  })
  const setNumber = (field: 'priority' | 'weight') => async (ids: readonly number[]) => {
    const answer = await ask(field, ids.length)
    return answer === undefined ? undefined : await updateMany(ids, { [field]: Number(answer.value) })
  }
  async function setTag(ids: readonly number[]) {
    const answer = await ask('tag', ids.length)
    return answer === undefined ? undefined : await tagMany(ids, answer.value)
  }
  return [
    action({ id: 'test', icon: Zap, run: test }),
    status.enable,
    status.disable,
    action({ id: 'tag', icon: TagIcon, run: setTag }),
    action({ id: 'priority', icon: ArrowUpNarrowWide, run: setNumber('priority') }),
    action({ id: 'weight', icon: Scale, run: setNumber('weight') }),
    status.delete,
  ]
}
