import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ellipsis, Plus, Trash2, WalletCards, Wrench, Zap } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button, buttonClass, IconButton } from '../../../components/ui/button.tsx'
import { Menu } from '../../../components/ui/menu.tsx'
import { confirm } from '../../../lib/confirm.ts'
import { toast } from '../../../lib/toast.ts'
import { deleteDisabled, fixChannels, refreshed } from './api.ts'
import type { ChannelRunControl } from './use-channel-run.ts'

export interface PageActionsProps {
  readonly test: ChannelRunControl
  readonly balances: ChannelRunControl
}

/** What can be done to all channels, and the way to a new one. */
export function PageActions({ test, balances }: PageActionsProps) {
  const { t } = useTranslation('channels')
  const remove = useDeleteDisabled()
  const fix = useFix()
  return (
    <>
      <Button
        icon={Zap}
        loading={test.starting}
        disabled={test.run !== undefined}
        onClick={test.start}
        title={t('action.testAllLong')}
      >
        {t('action.testAll')}
      </Button>
      <Menu
        trigger={
          <IconButton icon={Ellipsis} variant="secondary" label={t('action.moreAll')} tooltip={false} />
        }
        items={[
          {
            kind: 'action',
            icon: WalletCards,
            label: t('action.balances'),
            disabled: balances.run !== undefined,
            run: balances.start,
          },
          { kind: 'action', icon: Wrench, label: t('action.fix'), run: () => void fix() },
          { kind: 'separator' },
          {
            kind: 'action',
            icon: Trash2,
            label: t('action.deleteDisabled'),
            danger: true,
            run: () => void remove(),
          },
        ]}
      />
      <Link to="/channel/add" search={true} className={buttonClass('primary')}>
        <Plus className="size-3.5" aria-hidden />
        {t('create.title')}
      </Link>
    </>
  )
}

function useDeleteDisabled(): () => Promise<void> {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => refreshed(client, deleteDisabled()),
    onSuccess: (count) => toast.success(t('toast.disabledDeleted', { count })),
  })
  return async () => {
    const confirmed = await confirm({
      title: t('deleteDisabled.title'),
      description: t('deleteDisabled.description'),
      confirmLabel: t('deleteDisabled.confirm'),
      danger: true,
    })
    if (confirmed) remove.mutate()
  }
}

function useFix(): () => Promise<void> {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const fix = useMutation({
    mutationFn: () => refreshed(client, fixChannels()),
    onSuccess: (count) => toast.success(t('toast.fixed', { count })),
  })
  return async () => {
    const confirmed = await confirm({
      title: t('fix.title'),
      description: t('fix.description'),
      confirmLabel: t('fix.confirm'),
    })
    if (confirmed) fix.mutate()
  }
}
