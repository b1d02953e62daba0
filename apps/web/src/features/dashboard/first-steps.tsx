import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../components/ui/card.tsx'
import { cx } from '../../lib/cx.ts'
import { anyPriceQuery, channelsQuery, overviewQuery } from './api.ts'

type StepName = 'channel' | 'price' | 'key' | 'call'

interface Step {
  readonly name: StepName
  readonly to: '/channel/add' | '/setting' | '/token/add' | '/playground'
  readonly done: boolean
}

/** The way to the first call: `undefined` until it is known, empty once it is walked. */
export function useFirstSteps(admin: boolean): readonly Step[] | undefined {
  const { data: self } = useQuery(overviewQuery)
  // Whoever has called has found the way, and may delete a key or a channel since.
  const hasCalled = self !== undefined && self.request_count > 0
  const asks = admin && self !== undefined && !hasCalled
  const channels = useQuery({ ...channelsQuery, enabled: admin })
  const price = useQuery({ ...anyPriceQuery, enabled: asks })
  if (self === undefined) return undefined
  if (hasCalled) return []
  if (admin && (channels.data === undefined || price.data === undefined)) return undefined
  const gateway: readonly Step[] = [
    { name: 'channel', to: '/channel/add', done: (channels.data?.total ?? 0) > 0 },
    { name: 'price', to: '/setting', done: price.data === true },
  ]
  return [
    ...(admin ? gateway : []),
    { name: 'key', to: '/token/add', done: self.keys.total > 0 },
    { name: 'call', to: '/playground', done: hasCalled },
  ]
}

/** The steps that are left, and those that are taken, ticked off. */
export function FirstSteps({ steps }: { readonly steps: readonly Step[] }) {
  const { t } = useTranslation('dashboard')
  const next = steps.find(({ done }) => !done)
  return (
    <Card title={t('steps.title')} description={t('steps.description')}>
      <ol className="-mx-1.5 grid gap-1 sm:auto-cols-fr sm:grid-flow-col">
        {steps.map((step, index) => (
          <li key={step.name}>
            <StepBody step={step} place={index + 1} isNext={step === next} />
          </li>
        ))}
      </ol>
    </Card>
  )
}

interface StepBodyProps {
  readonly step: Step
  readonly place: number
  readonly isNext: boolean
}

function StepBody({ step, place, isNext }: StepBodyProps) {
  const { t } = useTranslation('dashboard')
  const body = (
    <>
      <span
        className={cx(
          'figures mt-px grid size-5 shrink-0 place-items-center rounded-full border font-medium text-2xs',
          step.done && 'border-transparent bg-good-soft text-good',
          isNext && 'border-transparent bg-accent text-on-accent',
        )}
      >
        {step.done ? <Check className="size-3 stroke-3" aria-label={t('steps.done')} /> : place}
      </span>
      <span className="min-w-0">
        <span className={cx('block font-medium', step.done && 'text-muted')}>
          {t(`steps.${step.name}.title`)}
        </span>
        <span className="block text-muted text-xs">{t(`steps.${step.name}.hint`)}</span>
      </span>
    </>
  )
  const look = 'flex h-full items-start gap-3 rounded px-1.5 py-2'
  return step.done ? (
    <div className={look}>{body}</div>
  ) : (
    <Link to={step.to} className={`${look} transition-colors hover:bg-hover`}>
      {body}
    </Link>
  )
}
