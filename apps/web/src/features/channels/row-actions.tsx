import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Channel, channelStatuses } from '@tollgate/api'
import { Copy, Ellipsis, Eye, FlaskConical, Pencil, Power, PowerOff, Trash2, Zap } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../components/ui/button.tsx'
import { Menu } from '../../components/ui/menu.tsx'
import type { MenuItems } from '../../components/ui/menu-items.ts'
import { Money } from '../../components/ui/money.tsx'
import { confirm } from '../../lib/confirm.ts'
import { usePhone } from '../../lib/media-query.ts'
import { isRoot, useUser } from '../../lib/session.ts'
import {
  channelLists,
  copyChannel,
  deleteChannel,
  refreshChannels,
  showChannel,
  updateChannel,
} from './api.ts'
import { ResponseTime } from './cells/response-cell.tsx'
import { channelState } from './channel-state.ts'
import { useStateSentence } from './state-sentence.ts'
import { useTestChannel } from './test/use-test-channel.ts'

export interface RowActionsProps {
  readonly channel: Channel
  /** Opens the model picker of a test. */
  readonly onTestModels: (channel: Channel) => void
  /** Opens the keys themselves. */
  readonly onShowKeys: (channel: Channel) => void
}

/** Test, switch on or off, and the rest in a menu with the destructive last. */
export function RowActions(props: RowActionsProps) {
  const { channel } = props
  const { t } = useTranslation('channels')
  const phone = usePhone()
  const test = useTestChannel(channel)
  const toggle = useToggleChannel(channel)
  const enabled = channel.status === channelStatuses.enabled
  return (
    <span className="inline-flex items-center gap-0.5 max-sm:w-full">
      {phone && <PhoneFacts channel={channel} />}
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
        items={useMenuItems(props)}
      />
    </span>
  )
}

/** On a card, beside the buttons: why it is not in service, else what it cost and how quick it is. */
function PhoneFacts({ channel }: { readonly channel: Channel }) {
  const sentence = useStateSentence(channelState(channel), true)
  if (sentence !== undefined)
    return <span className="mr-auto line-clamp-2 text-left text-2xs text-muted leading-4">{sentence}</span>
  return (
    <span className="mr-auto inline-flex items-center gap-3 text-xs">
      <Money quota={channel.used_quota} single />
      <ResponseTime channel={channel} />
    </span>
  )
}

function useMenuItems({ channel, onTestModels, onShowKeys }: RowActionsProps): MenuItems {
  const { t } = useTranslation('channels')
  const root = isRoot(useUser())
  const edit = useEditChannel()
  const copy = useCopyChannel(channel)
  const remove = useDeleteChannel(channel)
  return [
    { kind: 'action', icon: Pencil, label: t('action.edit'), run: () => edit(channel.id) },
    { kind: 'action', icon: FlaskConical, label: t('action.testModels'), run: () => onTestModels(channel) },
    { kind: 'action', icon: Copy, label: t('action.copy'), run: copy },
    root && { kind: 'action', icon: Eye, label: t('action.showKeys'), run: () => onShowKeys(channel) },
    { kind: 'separator' },
    { kind: 'action', icon: Trash2, label: t('action.delete'), danger: true, run: () => void remove() },
  ]
}

/** Opens the form of a channel. */
export function useEditChannel(): (id: number) => void {
  const navigate = useNavigate()
  return (id) => void navigate({ to: '/channel/edit/$id', params: { id: String(id) }, search: true })
}

/** Makes a second channel with the same keys and settings, and opens it. */
function useCopyChannel({ id }: Channel): () => void {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const edit = useEditChannel()
  const copy = useMutation({
    mutationFn: () => copyChannel(id),
    onSuccess: async (made) => {
      edit(made.id)
      await channelLists.refresh(client)
    },
    meta: { successMessage: t('toast.copied') },
  })
  return () => copy.mutate()
}

/** Switches a channel on or off; the row shows what the server answered. */
function useToggleChannel(channel: Channel) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const enabled = channel.status === channelStatuses.enabled
  const status = enabled ? channelStatuses.disabled : channelStatuses.enabled
  return useMutation({
    mutationFn: () => updateChannel({ id: channel.id, status }),
    onSuccess: (response) => showChannel(client, response),
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
      channelLists.drop(client, [id])
      return refreshChannels(client)
    },
    meta: { successMessage: t('toast.deleted', { name }) },
  })
  return async () => {
    const confirmed = await confirm({
      title: t('delete.title', { name }),
      description: t('delete.description'),
      confirmLabel: t('delete.confirm'),
      danger: true,
    })
    if (confirmed) remove.mutate()
  }
}
