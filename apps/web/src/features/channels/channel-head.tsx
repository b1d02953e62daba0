import type { Channel } from '@tollgate/api'
import { CalendarClock, ScrollText } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConditionText } from '../../components/channel-condition.ts'
import { Button } from '../../components/ui/button.tsx'
import { LinkButton } from '../../components/ui/link-button.tsx'
import { Money } from '../../components/ui/money.tsx'
import { StatusDot } from '../../components/ui/tag.tsx'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { RecentTimes, ResponseTime } from './cells/response-cell.tsx'
import { ErrorRate, Traffic } from './cells/traffic-cells.tsx'
import { LastCell } from './cells/value-cells.tsx'
import { channelState } from './channel-state.ts'
import { useStateSentence } from './state-sentence.ts'
import { useDrain, useDrainProgress } from './switching/drain/use-drain.ts'
import { useStanding } from './switching/use-standing.ts'

const ScheduleDialog = lazyComponent(
  () => import('./switching/schedule/schedule-dialog.tsx'),
  'ScheduleDialog',
)

const RecentMargin = lazyComponent(() => import('../../components/margin/recent-margin.tsx'), 'RecentMargin')

/** Shows the condition of the channel that is being edited. */
export function ChannelHead({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const [planning, setPlanning] = useState(false)
  const current = useDrainProgress(channel)
  const standing = useStanding(current)
  const drain = useDrain(current)
  const state = channelState(channel)
  const sentence = useStateSentence(state)
  const { recent_ms: recent, last_hour: hour } = channel.health
  const text = useConditionText()
  return (
    <section aria-label={t('head.label')} className="rounded border bg-sunken px-3.5 py-2.5">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <StatusDot tone={standing.tone} className="font-medium">
          {standing.word}
        </StatusDot>
        <Fact label={t('column.response_time')}>
          <ResponseTime channel={channel} />
        </Fact>
        <Fact label={t('column.last_failure')}>
          <LastCell channel={channel} />
        </Fact>
        <Fact label={t('column.traffic')}>
          <Traffic hour={hour} />
        </Fact>
        <Fact label={text.lastHour(hour)}>
          <span className="flex min-h-5 items-center gap-2">
            <RecentTimes recent={recent} className="h-5! w-20!" />
            <ErrorRate hour={hour} />
            {hour.other_failures > 0 && (
              <span className="text-muted text-xs">
                {t('head.otherFailures', { count: hour.other_failures })}
              </span>
            )}
          </span>
        </Fact>
        <Fact label={t('column.used_quota')}>
          <Money quota={channel.used_quota} />
        </Fact>
        <Fact label={t('head.margin')}>
          <Suspense fallback={<span className="text-muted">…</span>}>
            <RecentMargin of={{ by: 'channel', id: channel.id }} />
          </Suspense>
        </Fact>
        <span className="ml-auto flex items-center gap-1">
          {drain.start && (
            <Button size="sm" variant="ghost" loading={drain.isPending} onClick={drain.start}>
              {t('drain.start')}
            </Button>
          )}
          {drain.end && (
            <Button size="sm" variant="ghost" loading={drain.isPending} onClick={drain.end}>
              {t('drain.end')}
            </Button>
          )}
          <Button size="sm" variant="ghost" icon={CalendarClock} onClick={() => setPlanning(true)}>
            {t('schedule.open')}
          </Button>
          <LinkButton
            to="/log"
            search={{ channel: channel.id, range: '24h' }}
            size="sm"
            variant="ghost"
            icon={ScrollText}
          >
            {t('action.usage')}
          </LinkButton>
        </span>
      </div>
      {(sentence || standing.plans.length > 0) && (
        <p className="mt-2 break-words border-t pt-2 text-muted text-xs">
          {[...standing.plans, sentence].filter(Boolean).join(' · ')}
        </p>
      )}
      <Suspense>
        {planning && <ScheduleDialog channel={channel} onClose={() => setPlanning(false)} />}
      </Suspense>
    </section>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <span className="flex flex-col">
      <span className="text-muted text-xs">{label}</span>
      {children}
    </span>
  )
}
