import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { redemptionStatuses, type WireRedemption } from '@tollgate/api'
import { Copy, Ellipsis, Pencil, Power, PowerOff, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../components/ui/button.tsx'
import { CopyButton } from '../../components/ui/copy.tsx'
import { Menu } from '../../components/ui/menu.tsx'
import type { MenuItems } from '../../components/ui/menu-items.ts'
import { confirm } from '../../lib/confirm.ts'
import { copyText } from '../../lib/copy.ts'
import { toast } from '../../lib/toast.ts'
import { usePhone } from '../../lib/use-phone.ts'
import { deleteRedemption, redemptionLists, setRedemptionStatus } from './api.ts'
import { maskedCode, stateOf } from './code-state.ts'

interface RowActionsProps {
  readonly code: WireRedemption
}

/** Switch on or off, and the rest in a menu with the destructive last. A used code stays used. */
export function RowActions({ code }: RowActionsProps) {
  const { t } = useTranslation('redemptions')
  const phone = usePhone()
  const { name, key } = code
  return (
    <span className="inline-flex items-center gap-0.5 max-sm:w-full">
      {phone && (
        <span className="mr-auto inline-flex items-center">
          <span className="font-mono text-xs">{maskedCode(code)}</span>
          <CopyButton value={key} label={t('code.copyOf', { name })} />
        </span>
      )}
      {stateOf(code) !== 'used' && <ToggleButton code={code} />}
      <Menu
        trigger={<IconButton icon={Ellipsis} size="sm" label={t('action.more', { name })} tooltip={false} />}
        items={useMenuItems(code)}
      />
    </span>
  )
}

/** Switches a code on or off; the row shows what the server answered. */
function ToggleButton({ code }: RowActionsProps) {
  const { t } = useTranslation('redemptions')
  const client = useQueryClient()
  const { id, name } = code
  const enabled = stateOf(code) === 'unused'
  const toggle = useMutation({
    mutationFn: () =>
      setRedemptionStatus(id, enabled ? redemptionStatuses.disabled : redemptionStatuses.unused),
    onSuccess: (answer) => redemptionLists.show(client, answer),
    meta: { successMessage: t(enabled ? 'toast.disabled' : 'toast.enabled', { name }) },
  })
  return (
    <IconButton
      icon={enabled ? PowerOff : Power}
      size="sm"
      label={t(enabled ? 'action.disable' : 'action.enable', { name })}
      loading={toggle.isPending}
      onClick={() => toggle.mutate()}
    />
  )
}

function useMenuItems(code: WireRedemption): MenuItems {
  const { t } = useTranslation('redemptions')
  const navigate = useNavigate()
  const remove = useDeleteCode(code)
  async function copy(): Promise<void> {
    if (await copyText(code.key)) toast.success(t('toast.copied'))
  }
  return [
    { kind: 'action', icon: Copy, label: t('code.copy'), run: () => void copy() },
    stateOf(code) === 'unused' && {
      kind: 'action',
      icon: Pencil,
      label: t('action.edit'),
      run: () => void navigate({ to: '/redemption/edit/$id', params: { id: String(code.id) }, search: true }),
    },
    { kind: 'separator' },
    { kind: 'action', icon: Trash2, label: t('action.delete'), danger: true, run: () => void remove() },
  ]
}

/** Asks, and deletes the code. */
function useDeleteCode({ id, name }: WireRedemption): () => Promise<void> {
  const { t } = useTranslation('redemptions')
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => deleteRedemption(id),
    onSuccess: async () => {
      redemptionLists.drop(client, [id])
      await redemptionLists.refresh(client)
    },
    meta: { successMessage: t('toast.deleted', { name }) },
  })
  return async () => {
    const sure = await confirm({
      title: t('delete.title', { name }),
      description: t('delete.description'),
      confirmLabel: t('delete.confirm'),
      danger: true,
    })
    if (sure) remove.mutate()
  }
}
