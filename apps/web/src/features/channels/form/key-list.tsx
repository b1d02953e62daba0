import type { Channel } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { StatusDot } from '../../../components/ui/tag.tsx'
import { reasonText } from '../reason-text.ts'
import { momentText } from '../state-sentence.ts'

const tones = { enabled: 'good', resting: 'warn', 'auto-disabled': 'bad' } as const

/** The stored keys by their hints, and how each is doing. */
export function KeyList({ channel }: { readonly channel: Channel }) {
  const { t, i18n } = useTranslation('channels')
  const { keys } = channel.health
  if (keys.length === 0) return null
  return (
    <div className="overflow-hidden rounded border">
      <p className="border-b bg-sunken px-3 py-1.5 text-muted text-xs">
        {t('form.storedKeys', { count: keys.length })}
      </p>
      <ul className="max-h-48 overflow-y-auto">
        {keys.map((key) => (
          <li
            key={key.index}
            className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b px-3 py-1.5 text-xs last:border-b-0"
          >
            <span className="figures w-6 text-faint">{key.index + 1}</span>
            <span className="font-mono">{key.hint || '***'}</span>
            <StatusDot tone={tones[key.status]} className="ml-auto">
              {t(`key.${key.status}`)}
            </StatusDot>
            {key.status !== 'enabled' && (
              <span className="w-full break-words pl-9 text-muted">
                {key.disabled_at > 0 && t('state.sinceTime', { time: momentText(key.disabled_at) })}
                {reasonText(key, i18n.language) || t('state.noReason')}
                {key.retry_at > 0 && ` · ${t('state.retryAt', { time: momentText(key.retry_at) })}`}
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
