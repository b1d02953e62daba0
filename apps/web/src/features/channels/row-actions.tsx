import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Channel, channelStatuses } from '@tollgate/api'
import {
  CalendarClock,
  Copy,
  DownloadCloud,
  Eye,
  FlaskConical,
  Hourglass,
  Pencil,
  PowerOff,
  ScrollText,
  WalletCards,
  Waypoints,
  Zap,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ResourceRow, type RowStops } from '../../components/list/index.ts'
import { useStops } from '../../components/stops/index.ts'
import { IconButton } from '../../components/ui/button.tsx'
import { Money } from '../../components/ui/money.tsx'
import type { MenuItems } from '../../components/ui/overlay/menu-items.ts'
import { formatProviderBalance } from '../../lib/format/format.ts'
import { isRoot, useUser } from '../../lib/session/session.ts'
import { toast } from '../../lib/toast.ts'
import { channelApi, copyChannel, refreshChannel, updateBalance } from './api.ts'
import { ResponseTime } from './cells/response-cell.tsx'
import { channelState } from './channel-state.ts'
import { useStateSentence } from './state-sentence.ts'
import { useDrain } from './switching/drain/use-drain.ts'
import { useStanding } from './switching/use-standing.ts'
import { useTestChannel } from './test/use-test-channel.ts'

export interface RowActionsProps {
  readonly channel: Channel
  /** Opens the model picker of a test. */
  readonly onTestModels: (channel: Channel) => void
  /** Opens what the upstream lists. */
  readonly onFetchModels: (channel: Channel) => void
  /** Opens the keys themselves. */
  readonly onShowKeys: (channel: Channel) => void
  /** Opens the times at which it is switched. */
  readonly onSchedule: (channel: Channel) => void
}

/** Test, switch on or off, and the rest in a menu. */
export function RowActions(props: RowActionsProps) {
  const { channel } = props
  const { t } = useTranslation('channels')
  const test = useTestChannel(channel)
  const isEnabled = channel.status === channelStatuses.enabled
  return (
    <ResourceRow
      api={channelApi}
      texts="channels"
      row={channel}
      isEnabled={isEnabled}
      nextStatus={channelStatuses[isEnabled ? 'disabled' : 'enabled']}
      stops={useChannelStops(channel)}
      onCard={<PhoneFacts channel={channel} />}
      items={useMenuItems(props)}
    >
      <IconButton
        icon={Zap}
        size="sm"
        label={t('action.test', { name: channel.name })}
        loading={test.isPending}
        onClick={() => test.mutate(undefined)}
      />
    </ResourceRow>
  )
}

/** Returns everything else that can be done with a channel. */
function useMenuItems({
  channel,
  onTestModels,
  onFetchModels,
  onShowKeys,
  onSchedule,
}: RowActionsProps): MenuItems {
  const { t } = useTranslation('channels')
  const edit = useEditChannel()
  const navigate = useNavigate()
  const copy = useCopyChannel(channel)
  const getBalance = useGetBalance(channel)
  const showKeys = {
    kind: 'action',
    icon: Eye,
    label: t('action.showKeys'),
    run: () => onShowKeys(channel),
  } as const
  const isReader = isRoot(useUser())
  const drain = useDrain(channel)
  return [
    { kind: 'action', icon: Pencil, label: t('action.edit'), run: () => edit(channel.id) },
    {
      kind: 'action',
      icon: FlaskConical,
      label: t('action.testModels'),
      run: () => onTestModels(channel),
    },
    {
      kind: 'action',
      icon: DownloadCloud,
      label: t('action.fetchModels'),
      run: () => onFetchModels(channel),
    },
    { kind: 'action', icon: WalletCards, label: t('action.balance'), run: getBalance },
    {
      kind: 'action',
      icon: ScrollText,
      label: t('action.usage'),
      run: () => void navigate({ to: '/log', search: { channel: channel.id, range: '24h' } }),
    },
    {
      kind: 'action',
      icon: Waypoints,
      label: t('action.route'),
      run: () =>
        void navigate({
          to: '/route',
          search: { model: channel.models.split(',')[0], group: channel.group.split(',')[0] },
        }),
    },
    drain.start && { kind: 'action', icon: Hourglass, label: t('drain.start'), run: drain.start },
    drain.end && { kind: 'action', icon: PowerOff, label: t('drain.end'), run: drain.end },
    drain.stay && {
      kind: 'check',
      label: t('drain.stay'),
      checked: channel.drain?.stays === true,
      change: drain.stay,
    },
    { kind: 'action', icon: CalendarClock, label: t('schedule.open'), run: () => onSchedule(channel) },
    { kind: 'action', icon: Copy, label: t('action.copy'), run: copy },
    isReader && showKeys,
  ]
}

/** Says what stops without the channel, and the way back after it was switched off. */
function useChannelStops({ id, name }: Channel): RowStops {
  const { t } = useTranslation('channels')
  const { ask, offerUndo } = useStops()
  return {
    ask: (act) =>
      ask(
        { ids: [id] },
        act === 'disable'
          ? { title: t('stops.disableTitle', { name }), confirmLabel: t('stops.disable') }
          : {
              title: t('delete.title', { name }),
              confirmLabel: t('delete.confirm'),
              warning: t('delete.description'),
              always: true,
            },
      ),
    offerUndo: (done) => offerUndo(done, [{ action: 'channel.disable', kind: 'channel', target: id }]),
  }
}

/** Shows on a card, beside the buttons, why the channel is not in service, else its cost and response time. */
function PhoneFacts({ channel }: { readonly channel: Channel }) {
  const sentence = useStateSentence(channelState(channel), true)
  const { plans } = useStanding(channel)
  if (sentence !== undefined || plans.length > 0)
    return (
      <span className="line-clamp-2 text-left text-2xs text-muted leading-4">
        {[...plans, sentence].filter(Boolean).join(' · ')}
      </span>
    )
  return (
    <span className="inline-flex items-center gap-3 text-xs">
      <Money quota={channel.used_quota} single />
      <ResponseTime channel={channel} />
    </span>
  )
}

/** Reads the balance of the upstream account; the row then shows it. */
function useGetBalance({ id, name }: Channel): () => void {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const update = useMutation({
    mutationFn: () => updateBalance(id),
    onSuccess: async (balance) => {
      await refreshChannel(client, id)
      toast.success(t('toast.balance', { name, balance: formatProviderBalance(balance) }))
    },
  })
  return () => update.mutate()
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
      await channelApi.lists.refresh(client)
    },
    meta: { successMessage: t('toast.copied') },
  })
  return () => copy.mutate()
}
