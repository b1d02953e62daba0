import type { RowOutcome } from '@tollgate/api'
import { PencilLine, Zap } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type BulkAction, useBulkAction, useResourceActions } from '../../../components/list/index.ts'
import { channelApi } from '../api.ts'

type Work = (ids: readonly number[]) => Promise<readonly RowOutcome[] | undefined>

/**
 * Returns the actions on many channels at once.
 * @param edit asks what to change, shows what would change, and changes it
 */
export function useBulkActions(edit: Work, test: Work): readonly BulkAction[] {
  const { t } = useTranslation('channels')
  const status = useResourceActions(channelApi, 'channels')
  const action = useBulkAction<'edit' | 'test'>({
    text: (name, count) => t(`bulk.${name}`, { count }),
    lists: channelApi.lists,
  })
  return [
    action({ id: 'test', icon: Zap, run: test }),
    action({ id: 'edit', icon: PencilLine, run: edit }),
    status.enable,
    status.disable,
    status.delete,
  ]
}
