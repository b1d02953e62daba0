import { useNavigate } from '@tanstack/react-router'
import { redemptionStatuses, type WireRedemption } from '@tollgate/api'
import { Copy, Pencil, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { RowControls, useRowDeletion, useRowSwitch } from '../../components/list/index.ts'
import type { MenuItems } from '../../components/ui/menu-items.ts'
import { copyText } from '../../lib/copy.ts'
import { toast } from '../../lib/toast.ts'
import { deleteRedemption, redemptionLists, setRedemptionStatus } from './api.ts'
import { CardFacts } from './cells.tsx'
import { stateOf } from './code-state.ts'

interface RowActionsProps {
  readonly code: WireRedemption
}

/** Switch on or off, and the rest in a menu. A used code stays used. */
export function RowActions({ code }: RowActionsProps) {
  const { t } = useTranslation('redemptions')
  const onOff = useSwitch(code)
  return (
    <RowControls
      onCard={<CardFacts code={code} />}
      onOff={stateOf(code) === 'used' ? undefined : onOff}
      more={t('action.more', { name: code.name })}
      items={useMenuItems(code)}
    />
  )
}

function useSwitch(code: WireRedemption) {
  const { t } = useTranslation('redemptions')
  const { id, name } = code
  const enabled = stateOf(code) === 'unused'
  const { unused, disabled } = redemptionStatuses
  return useRowSwitch({
    enabled,
    label: t(enabled ? 'action.disable' : 'action.enable', { name }),
    change: () => setRedemptionStatus(id, enabled ? disabled : unused),
    lists: redemptionLists,
    done: t(enabled ? 'toast.disabled' : 'toast.enabled', { name }),
  })
}

function useMenuItems({ id, name, key, ...code }: WireRedemption): MenuItems {
  const { t } = useTranslation('redemptions')
  const navigate = useNavigate()
  const remove = useRowDeletion({
    id,
    remove: deleteRedemption,
    lists: redemptionLists,
    question: {
      title: t('delete.title', { name }),
      description: t('delete.description'),
      confirmLabel: t('delete.confirm'),
    },
    done: t('toast.deleted', { name }),
  })
  async function copy(): Promise<void> {
    if (await copyText(key)) toast.success(t('toast.copied'))
  }
  return [
    { kind: 'action', icon: Copy, label: t('code.copy'), run: () => void copy() },
    stateOf(code) === 'unused' && {
      kind: 'action',
      icon: Pencil,
      label: t('action.edit'),
      run: () => void navigate({ to: '/redemption/edit/$id', params: { id: String(id) }, search: true }),
    },
    { kind: 'separator' },
    { kind: 'action', icon: Trash2, label: t('action.delete'), danger: true, run: () => void remove() },
  ]
}
