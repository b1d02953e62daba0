import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RouteChange, RouteChannel, RoutePreview } from '@tollgate/api'
import { Unplug } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { NumberInput } from '../../components/ui/field/input.tsx'
import { Money } from '../../components/ui/money.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { cx } from '../../lib/cx.ts'
import { formatDuration, formatInteger, formatPercent } from '../../lib/format/format.ts'
import { applyChanges } from './api.ts'
import { WhatIfCard } from './what-if-card.tsx'

interface RouteChannelsProps {
  readonly preview: RoutePreview
}

/** The channels of a call in their order, with priority and weight to try others. */
export function RouteChannels({ preview }: RouteChannelsProps) {
  const { t } = useTranslation('route')
  const { changes, typedOf, change, reset } = useChanges(preview.channels)
  const client = useQueryClient()
  const apply = useMutation({
    mutationFn: () => applyChanges(changes),
    meta: { successMessage: t('whatIf.applied') },
    onSettled: async () => {
      reset()
      for (const key of ['route', 'channels']) await client.invalidateQueries({ queryKey: [key] })
    },
  })
  if (preview.channels.length === 0)
    return (
      <Card>
        <EmptyState icon={Unplug} title={t('none.title', { model: preview.model })}>
          {t('none.description')}
        </EmptyState>
      </Card>
    )
  return (
    <>
      <Card
        title={t('order.title', { model: preview.model, group: preview.group })}
        description={t('order.description', { count: preview.most_attempts })}
      >
        <ol className="flex flex-col">
          {preview.channels.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} value={typedOf(channel)} onChange={change} />
          ))}
        </ol>
      </Card>
      <WhatIfCard
        group={preview.group}
        model={preview.model}
        changes={changes}
        actions={
          changes.length > 0 && (
            <>
              <Button size="sm" onClick={reset}>
                {t('whatIf.reset')}
              </Button>
              <Button size="sm" variant="primary" loading={apply.isPending} onClick={() => apply.mutate()}>
                {t('whatIf.apply', { count: changes.length })}
              </Button>
            </>
          )
        }
      />
    </>
  )
}

/** Priority and weight as their boxes have them: `undefined` while there is no number, as in front of the digits of a negative one. */
interface TypedChange {
  readonly id: number
  readonly priority: number | undefined
  readonly weight: number | undefined
}

/** Priorities and weights that were typed and differ from those of the channels. */
function useChanges(channels: readonly RouteChannel[]) {
  const [typed, setTyped] = useState<ReadonlyMap<number, TypedChange>>(new Map())
  const typedOf = ({ id, priority, weight }: RouteChannel): TypedChange =>
    typed.get(id) ?? { id, priority, weight }
  const changeOf = (channel: RouteChannel): RouteChange => {
    const { id, priority, weight } = typedOf(channel)
    return {
      id,
      priority: priority ?? channel.priority,
      weight: Math.max(0, weight ?? channel.weight),
    }
  }
  const isChanged = (channel: RouteChannel) => {
    const { priority, weight } = changeOf(channel)
    return priority !== channel.priority || weight !== channel.weight
  }
  return {
    typedOf,
    changes: channels.filter(isChanged).map(changeOf),
    change: (next: TypedChange) => setTyped(new Map(typed).set(next.id, next)),
    reset: () => setTyped(new Map()),
  }
}

interface ChannelRowProps {
  readonly channel: RouteChannel
  readonly value: TypedChange
  readonly onChange: (next: TypedChange) => void
}

function ChannelRow({ channel, value, onChange }: ChannelRowProps) {
  const { t } = useTranslation('route')
  const { id, name, step, share, skip } = channel
  return (
    <li
      className={cx(
        'grid items-center gap-x-4 gap-y-2 border-t py-2.5 first:border-t-0 max-lg:grid-cols-2 lg:grid-cols-[4rem_minmax(0,1.6fr)_minmax(0,1fr)_5rem_6rem_6rem_6rem]',
      )}
    >
      <span className="figures text-muted text-xs max-lg:col-span-2">
        {step > 0 ? t('order.step', { step }) : t('order.skipped')}
        {skip === null && share < 1 && <span className="ml-1.5">{formatPercent(share)}</span>}
      </span>
      <span className="min-w-0 max-lg:col-span-2">
        <Link
          to="/channel/edit/$id"
          params={{ id: String(id) }}
          className={cx(
            'block truncate font-medium text-sm hover:text-accent-text hover:underline',
            skip && 'text-muted',
          )}
          title={name}
        >
          {name}
        </Link>
        <SkipReason channel={channel} />
      </span>
      <Observed channel={channel} />
      <Figure label={t('order.latency')}>
        {channel.latency_ms === null ? '–' : formatDuration(channel.latency_ms)}
      </Figure>
      <Figure label={t('order.cost')}>
        {channel.cost === null ? '–' : <Money quota={channel.cost} exact single />}
      </Figure>
      <Figure label={t('order.priority')}>
        <NumberInput
          aria-label={t('order.priorityOf', { name })}
          value={value.priority}
          onValueChange={(priority) => onChange({ ...value, priority })}
        />
      </Figure>
      <Figure label={t('order.weight')}>
        <NumberInput
          aria-label={t('order.weightOf', { name })}
          value={value.weight}
          onValueChange={(weight) => onChange({ ...value, weight })}
        />
      </Figure>
    </li>
  )
}

interface FigureProps {
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}

function Figure({ label, className, children }: FigureProps) {
  return (
    <span className={cx('min-w-0', className)}>
      <span className="block text-muted text-xs">{label}</span>
      <span className="figures text-sm">{children}</span>
    </span>
  )
}

function SkipReason({ channel: { skip, cooling_ms: coolingMs } }: { readonly channel: RouteChannel }) {
  const { t } = useTranslation('route')
  if (skip === null) return null
  return (
    <Tag tone={skip === 'disabled' || skip === 'group' ? 'neutral' : 'warn'}>
      {t(`skip.${skip}`, { time: formatDuration(coolingMs) })}
    </Tag>
  )
}

/** Shows the outcomes of the last week's attempts with the model. */
function Observed({ channel: { attempts, failures } }: { readonly channel: RouteChannel }) {
  const { t } = useTranslation('route')
  return (
    <Figure label={t('order.week')} className="max-lg:col-span-2">
      {attempts === 0 ? (
        <span className="text-muted">{t('order.unobserved')}</span>
      ) : (
        <>
          {t('order.attempts', { count: attempts, number: formatInteger(attempts) })}
          {failures > 0 && <span className="ml-1.5 text-bad">{formatPercent(failures / attempts)}</span>}
        </>
      )}
    </Figure>
  )
}
