import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Channel, calls, channelStatuses } from '@tollgate/api'
import { CircleCheck, KeyRound, Power, Tags, X, Zap } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../components/ui/button.tsx'
import { LinkButton } from '../../components/ui/link-button.tsx'
import { request } from '../../lib/api/api-client.ts'
import { channelApi } from './api.ts'
import { listOf } from './channel-state.ts'
import { useTestChannel } from './test/use-test-channel.ts'

export interface NextStepsProps {
  /** The channel that was saved. */
  readonly id: number
  /** It passed a test as it was saved. */
  readonly tested: boolean
  readonly onClose: () => void
}

/** After a channel was saved: what is still missing before calls go through it; nothing when nothing is. */
export function NextSteps({ id, tested, onClose }: NextStepsProps) {
  const { t } = useTranslation('channels')
  const { data: channel } = useQuery(channelApi.one(useQueryClient(), id))
  const unpriced = useUnpriced(channel)
  const { data: keys } = useQuery(keyCountQuery)
  if (channel === undefined) return null
  const isOff = channel.status !== channelStatuses.enabled
  const isUntested = !tested && (channel.test_time === 0 || channel.test_failure !== null)
  if (!isOff && !isUntested && unpriced === 0 && keys !== 0) return null
  return (
    <section
      aria-label={t('next.label')}
      className="relative flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border bg-surface py-2 pr-11 pl-3 text-sm"
    >
      <span className="flex min-w-0 items-center gap-2">
        <CircleCheck className="size-4 shrink-0 text-good" aria-hidden />
        <span className="min-w-0 truncate">{t('next.saved', { name: channel.name })}</span>
      </span>
      <span className="flex flex-wrap items-center gap-2">
        {isUntested && <TestStep channel={channel} />}
        {unpriced > 0 && (
          <LinkButton to="/models" size="sm" icon={Tags}>
            {t('next.price', { count: unpriced })}
          </LinkButton>
        )}
        {isOff && <EnableStep channel={channel} />}
        {keys === 0 && (
          <LinkButton to="/token/add" size="sm" icon={KeyRound}>
            {t('next.key')}
          </LinkButton>
        )}
      </span>
      <IconButton
        icon={X}
        size="sm"
        label={t('next.close')}
        className="absolute! top-1.5 right-1.5"
        onClick={onClose}
      />
    </section>
  )
}

function TestStep({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const test = useTestChannel(channel)
  return (
    <Button
      size="sm"
      variant="primary"
      icon={Zap}
      loading={test.isPending}
      onClick={() => test.mutate(undefined)}
    >
      {t('next.test')}
    </Button>
  )
}

function EnableStep({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const enable = useMutation({
    mutationFn: () => channelApi.setStatus(channel.id, channelStatuses.enabled),
    onSuccess: (changed) => channelApi.lists.saved(client, changed),
    meta: { successMessage: t('toast.enabled', { name: channel.name }) },
  })
  return (
    <Button size="sm" icon={Power} loading={enable.isPending} onClick={() => enable.mutate()}>
      {t('next.enable')}
    </Button>
  )
}

/** Counts its models that are called in vain, because they have no price. */
function useUnpriced(channel: Channel | undefined): number {
  const { data: priced } = useQuery(pricedQuery)
  if (channel === undefined || channel.status !== channelStatuses.enabled || priced === undefined) return 0
  return listOf(channel.models).filter((model) => !priced.has(model)).length
}

const pricedQuery = {
  queryKey: ['channels', 'priced'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const prices = await request(calls.pricing.list, { signal })
    return new Set(prices.filter(({ unpriced }) => !unpriced).map((row) => row.model_name))
  },
}

const keyCountQuery = {
  queryKey: ['channels', 'own-keys'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    (await request(calls.users.overview, { signal })).keys.total,
}
