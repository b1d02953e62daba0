import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Channel, channelStatuses } from '@tollgate/api'
import { Copy, Ellipsis, FlaskConical, Pencil, Power, PowerOff, Trash2, Zap } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../components/ui/button.tsx'
import { Menu } from '../../components/ui/menu.tsx'
import { confirm } from '../../lib/confirm.ts'
import { deleteChannel, dropChannel, refreshChannels, showChannel, updateChannel } from './api.ts'
import { useTestChannel } from './use-test-channel.ts'

export interface RowActionsProps {
  readonly channel: Channel
  /** Opens the model picker of a test. */
  readonly onTestModels: (channel: Channel) => void
}

/** Test, switch on or off, and the rest in a menu with the destructive last. */
export function RowActions({ channel, onTestModels }: RowActionsProps) {
  const { t } = useTranslation('channels')
  const navigate = useNavigate()
  const test = useTestChannel(channel)
  const toggle = useToggleChannel(channel)
  const remove = useDeleteChannel(channel)
  const enabled = channel.status === channelStatuses.enabled
  return (
    <span className="inline-flex items-center gap-0.5">
      <IconButton
        icon={Zap}
        size="sm"
        label={t('action.test', { name: channel.name })}
        loading={test.isPending}
        onClick={() => test.mutate(undefined)}
      />
      <IconButton
        icon={enabled ? PowerOff : Power}
        size="sm"
        label={t(enabled ? 'action.disable' : 'action.enable', { name: channel.name })}
        loading={toggle.isPending}
        onClick={() => toggle.mutate()}
      />
      <Menu
        trigger={
          <IconButton
            icon={Ellipsis}
            size="sm"
            label={t('action.more', { name: channel.name })}
            tooltip={false}
          />
        }
        items={[
          {
            kind: 'action',
            icon: Pencil,
            label: t('action.edit'),
            run: () =>
              void navigate({
                to: '/channel/edit/$id',
                params: { id: String(channel.id) },
                search: (search) => search,
              }),
          },
          {
            kind: 'action',
            icon: FlaskConical,
            label: t('action.testModels'),
            run: () => onTestModels(channel),
          },
          {
            kind: 'action',
            icon: Copy,
            label: t('action.copy'),
            run: () =>
              void navigate({ to: '/channel/add', search: (search) => ({ ...search, copy: channel.id }) }),
          },
          { kind: 'separator' },
          { kind: 'action', icon: Trash2, label: t('action.delete'), danger: true, run: remove },
        ]}
      />
    </span>
  )
}

/** Switches a channel on or off; the row shows what the server answered. */
function useToggleChannel(channel: Channel) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const enabled = channel.status === channelStatuses.enabled
  const status = enabled ? channelStatuses.disabled : channelStatuses.enabled
  return useMutation({
    mutationFn: () => updateChannel({ id: channel.id, status }),
    onSuccess: (answer) => showChannel(client, answer),
    meta: { successMessage: t(enabled ? 'toast.disabled' : 'toast.enabled', { name: channel.name }) },
  })
}

/** Asks, then deletes the channel and takes it off the list. */
function useDeleteChannel({ id, name }: Channel): () => Promise<void> {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => deleteChannel(id),
    onSuccess: () => {
      dropChannel(client, id)
      return refreshChannels(client)
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
