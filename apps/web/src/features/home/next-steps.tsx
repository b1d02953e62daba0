import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { roles } from '@tollgate/api'
import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../components/ui/card.tsx'
import { cx } from '../../lib/cx.ts'
import { anyChannelQuery, anyTokenQuery, selfQuery } from './api.ts'

interface Step {
  readonly id: 'channel' | 'token' | 'call'
  readonly to: '/channel/add' | '/token/add' | '/playground'
  readonly done: boolean
}

/** The way from an empty installation to the first call; steps taken are ticked off, and gone when all are. */
export function NextSteps({ role }: { readonly role: number }) {
  const { t } = useTranslation('home')
  const admin = role >= roles.admin
  const channel = useQuery({ ...anyChannelQuery, enabled: admin })
  const token = useQuery(anyTokenQuery)
  const self = useQuery(selfQuery)
  const channelStep: Step = { id: 'channel', to: '/channel/add', done: channel.data ?? false }
  const steps: readonly Step[] = [
    ...(admin ? [channelStep] : []),
    { id: 'token', to: '/token/add', done: token.data ?? false },
    { id: 'call', to: '/playground', done: (self.data?.request_count ?? 0) > 0 },
  ]
  const known = token.data !== undefined && self.data !== undefined && (!admin || channel.data !== undefined)
  const next = known ? steps.find((step) => !step.done) : undefined
  if (!next) return null
  return (
    <Card title={t('steps.title')}>
      <ol className="-mx-1.5 flex flex-col gap-0.5">
        {steps.map((step, index) => (
          <li key={step.id}>
            <Link
              to={step.to}
              className="flex items-start gap-3 rounded px-1.5 py-2 transition-colors hover:bg-hover"
            >
              <span
                className={cx(
                  'figures mt-px grid size-5 shrink-0 place-items-center rounded-full border font-medium text-2xs',
                  step.done && 'border-transparent bg-good-soft text-good',
                  step === next && 'border-transparent bg-accent text-on-accent',
                )}
              >
                {step.done ? <Check className="size-3 stroke-3" aria-label={t('steps.done')} /> : index + 1}
              </span>
              <span className="min-w-0">
                <span className={cx('block font-medium', step.done && 'text-muted')}>
                  {t(`steps.${step.id}.title`)}
                </span>
                {!step.done && <span className="block text-muted text-xs">{t(`steps.${step.id}.hint`)}</span>}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  )
}
