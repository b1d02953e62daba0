import { Link } from '@tanstack/react-router'
import type { LogEntry, LogOther } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { cx } from '../../../lib/cx.ts'
import { formatSpan } from '../duration/format-span.ts'
import { type Attempt, isSuccess, kindOf, needsKeys, nextStepOf } from './attempt.ts'
import { ChannelName } from './channel-name.tsx'

export interface AttemptsTableProps {
  readonly entry: LogEntry
  readonly attempts: readonly Attempt[]
}

/** Shows the tried channels in order, how each attempt ended, and the step after it. */
export function AttemptsTable({ entry, attempts }: AttemptsTableProps) {
  const { t } = useTranslation('logs')
  if (attempts.length === 0) return <p className="text-muted text-sm">{t('attempts.none')}</p>
  const showKeys = needsKeys(attempts)
  return (
    <>
      <table className="w-full text-sm">
        <caption className="sr-only">{t('section.attempts')}</caption>
        <thead className="text-muted text-xs">
          <tr>
            <Head className="w-6 pl-0!">#</Head>
            <Head>{t('column.channel')}</Head>
            <Head>{t('attempts.outcome')}</Head>
            <Head className="max-sm:hidden">{t('attempts.then')}</Head>
            <Head className="pr-0! text-right">{t('fact.took')}</Head>
          </tr>
        </thead>
        <tbody>
          {attempts.map((attempt, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the attempts of one call never change
            <tr key={index} className="border-t align-baseline">
              <td className={cx(cell, 'figures pl-0! text-muted')}>{index + 1}</td>
              <td className={cell}>
                <Link
                  to="/channel/edit/$id"
                  params={{ id: String(attempt.channel) }}
                  className="font-medium hover:text-accent-text hover:underline"
                >
                  <ChannelName id={attempt.channel} entry={entry} />
                </Link>
                {showKeys && (
                  <span className="ml-1.5 text-muted text-xs">
                    {t('timeline.key', { number: attempt.key + 1 })}
                  </span>
                )}
              </td>
              <td className={cx(cell, isSuccess(attempt) ? 'text-good' : 'text-bad')}>
                <Outcome attempt={attempt} />
              </td>
              <td className={cx(cell, 'text-muted max-sm:hidden')}>
                {t(`attempts.${nextStepOf(attempts, index)}`)}
              </td>
              <td className={cx(cell, 'figures whitespace-nowrap pr-0! text-right')}>
                {formatSpan(attempt.ms)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Words attempts={attempts} />
    </>
  )
}

/** Shows upstreams' messages about their failures, for administrators. */
function Words({ attempts }: Pick<AttemptsTableProps, 'attempts'>) {
  return attempts.map(
    ({ said: stated }, index) =>
      stated !== undefined && (
        // biome-ignore lint/suspicious/noArrayIndexKey: the attempts of one call never change
        <p key={index} className="mt-1 break-words px-2 text-muted text-xs">
          <span className="figures mr-1.5">{index + 1}</span>
          {stated}
        </p>
      ),
  )
}

const cell = 'px-2 py-1.5'

function Head({ className, children }: { readonly className?: string; readonly children: string }) {
  return (
    <th scope="col" className={cx(cell, 'text-left font-normal', className)}>
      {children}
    </th>
  )
}

function Outcome({ attempt }: { readonly attempt: Attempt }) {
  const { t } = useTranslation('logs')
  const kind = kindOf(attempt)
  const word = isSuccess(attempt) ? t('attempts.worked') : kind ? t(`kind.${kind}`) : attempt.kind
  return (
    <>
      {word}
      {attempt.status > 0 && <span className="figures ml-1.5 text-muted text-xs">{attempt.status}</span>}
    </>
  )
}

type Affinity = NonNullable<NonNullable<LogOther['admin_info']>['affinity']>

const known = ['prompt_cache_key', 'session_id', 'user_id', 'conversation'] as const

export interface SessionLineProps {
  readonly entry: LogEntry
  readonly affinity: Affinity
}

/** Shows the identifier of the call's session, and the session's own channel. */
export function SessionLine({ entry, affinity }: SessionLineProps) {
  const { t } = useTranslation('logs')
  const by = known.find((name) => name === affinity.by)
  return (
    <p className="mt-2 text-muted text-xs">
      {by ? t(`session.${by}`) : affinity.by} <ChannelName id={affinity.channel} entry={entry} />
    </p>
  )
}
