import { useNavigate } from '@tanstack/react-router'
import { redemptionStatuses, type WireRedemption } from '@tollgate/api'
import { Copy, Pencil } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ResourceRow } from '../../components/list/index.ts'
import { copyText } from '../../lib/browser/copy.ts'
import { toast } from '../../lib/toast.ts'
import { redemptionApi } from './api.ts'
import { CardFacts } from './cells.tsx'
import { stateOf } from './code-state.ts'

/** Switch on or off, and the rest in a menu. A used code stays used. */
export function RowActions({ code }: { readonly code: WireRedemption }) {
  const { t } = useTranslation('redemptions')
  const navigate = useNavigate()
  const state = stateOf(code)
  const { unused, disabled } = redemptionStatuses
  const nextStatus = state === 'unused' ? disabled : unused
  async function copy(): Promise<void> {
    if (await copyText(code.key)) toast.success(t('toast.copied'))
  }
  return (
    <ResourceRow
      api={redemptionApi}
      texts="redemptions"
      row={code}
      isEnabled={state === 'unused'}
      nextStatus={state === 'used' ? undefined : nextStatus}
      onCard={<CardFacts code={code} />}
      items={[
        { kind: 'action', icon: Copy, label: t('code.copy'), run: () => void copy() },
        state === 'unused' && {
          kind: 'action',
          icon: Pencil,
          label: t('action.edit'),
          run: () =>
            void navigate({ to: '/redemption/edit/$id', params: { id: String(code.id) }, search: true }),
        },
      ]}
    />
  )
}
