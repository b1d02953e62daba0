import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Plus, Trash2, WalletCards, Wrench, Zap } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../components/ui/button.tsx'
import { LinkButton } from '../../../components/ui/link-button.tsx'
import { Menu } from '../../../components/ui/overlay/menu.tsx'
import { useConfirmedMutation } from '../../../lib/confirmed-mutation.ts'
import { toast } from '../../../lib/toast.ts'
import { deleteDisabled, fixChannels, refreshed } from './api.ts'
import type { ChannelRunControl } from './use-channel-run.ts'

export interface PageActionsProps {
  readonly test: ChannelRunControl
  readonly balances: ChannelRunControl
}

/** Shows the actions on all channels, and the way to a new one. */
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
          { kind: 'action', icon: Wrench, label: t('action.fix'), run: fix.run },
          { kind: 'separator' },
          {
            kind: 'action',
            icon: Trash2,
            label: t('action.deleteDisabled'),
            danger: true,
            run: remove.run,
          },
        ]}
      />
      <LinkButton to="/channel/add" search={true} variant="primary" icon={Plus}>
        {t('create.title')}
      </LinkButton>
    </>
  )
}

function useDeleteDisabled() {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  return useConfirmedMutation(
    {
      title: t('deleteDisabled.title'),
      description: t('deleteDisabled.description'),
      confirmLabel: t('deleteDisabled.confirm'),
      danger: true,
    },
    {
      mutationFn: () => refreshed(client, deleteDisabled()),
      onSuccess: (count) => toast.success(t('toast.disabledDeleted', { count })),
    },
  )
}

function useFix() {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  return useConfirmedMutation(
    { title: t('fix.title'), description: t('fix.description'), confirmLabel: t('fix.confirm') },
    {
      mutationFn: () => refreshed(client, fixChannels()),
      onSuccess: (count) => toast.success(t('toast.fixed', { count })),
    },
  )
}
