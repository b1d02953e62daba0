import type { RowOutcome } from '@tollgate/api'
import { PencilLine, Zap } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type BulkAction, useBulkAction, useResourceActions } from '../../../components/list/index.ts'
import { useStops } from '../../../components/stops/index.ts'
import { channelApi } from '../api.ts'

type Work = (ids: readonly number[]) => Promise<readonly RowOutcome[] | undefined>

/**
 * Returns the actions on many channels at once.
 * @param edit asks what to change, shows what would change, and changes it
 */
export function useBulkActions(edit: Work, test: Work): readonly BulkAction[] {
  const { t } = useTranslation('channels')
  const { ask, offerUndo } = useStops()
  const status = useResourceActions(channelApi, 'channels')
  const action = useBulkAction<'edit' | 'test'>({
    text: (name, count) => t(`bulk.${name}`, { count }),
    lists: channelApi.lists,
  })
  const { question: _plain, ...deletion } = status.delete
  const { done: _done, ...disabling } = status.disable

  async function disable(ids: readonly number[]): Promise<readonly RowOutcome[] | undefined> {
    const count = ids.length
    const question = { title: t('stops.disableManyTitle', { count }), confirmLabel: t('stops.disable') }
    if (!(await ask({ ids: [...ids] }, question))) return undefined
    const outcomes = (await status.disable.run(ids)) ?? []
    const done = outcomes.filter(({ success }) => success).map(({ id }) => id)
    const changes = done.map((target) => ({ action: 'channel.disable', kind: 'channel', target }) as const)
    if (done.length > 0) offerUndo(t('bulk.disableDone', { count: done.length }), changes)
    return outcomes
  }

  async function remove(ids: readonly number[]): Promise<readonly RowOutcome[] | undefined> {
    const count = ids.length
    const confirmed = await ask(
      { ids: [...ids] },
      {
        title: t('bulk.deleteTitle', { count }),
        confirmLabel: t('bulk.deleteConfirm', { count }),
        warning: t('delete.description'),
        always: true,
      },
    )
    return confirmed ? await status.delete.run(ids) : undefined
  }

  return [
    action({ id: 'test', icon: Zap, run: test }),
    action({ id: 'edit', icon: PencilLine, run: edit }),
    status.enable,
    { ...disabling, run: disable },
    { ...deletion, run: remove },
  ]
}
