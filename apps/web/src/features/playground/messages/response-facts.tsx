import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Money } from '../../../components/ui/money.tsx'
import { formatDuration, formatInteger } from '../../../lib/format.ts'
import type { AssistantMessage } from '../chat/thread.ts'

/** What an answer cost and took, and the way to the log entry that explains the charge. */
export function ResponseFacts({ response }: { readonly response: AssistantMessage }) {
  const { t } = useTranslation('playground')
  const { charge, totalMs, firstTokenMs, requestId, createdAt, group } = response
  const uncharged = charge?.quota === 0
  const tokens = uncharged && response.error ? undefined : (charge ?? response.usage)
  return (
    <p className="figures flex flex-wrap items-center gap-x-3 text-muted text-xs">
      {charge && (
        <span className="text-text">
          <span className="sr-only">{t('facts.price')} </span>
          {uncharged ? t('facts.uncharged') : <Money quota={charge.quota} exact single />}
        </span>
      )}
      {tokens && (
        <span>
          {t('facts.tokens', {
            input: formatInteger(tokens.promptTokens),
            output: formatInteger(tokens.completionTokens),
          })}
        </span>
      )}
      {totalMs !== undefined && (
        <span
          title={
            firstTokenMs === undefined
              ? undefined
              : t('facts.firstToken', { time: formatDuration(firstTokenMs) })
          }
        >
          {formatDuration(totalMs)}
        </span>
      )}
      {requestId !== '' && (
        <Link
          to="/log"
          search={{
            token: `playground-${group}`,
            entry: requestId,
            at: Math.floor((createdAt + (totalMs ?? 0)) / 1000),
          }}
          className="rounded-sm text-accent-text hover:underline max-sm:py-2"
        >
          {t('facts.logEntry')}
        </Link>
      )}
    </p>
  )
}
