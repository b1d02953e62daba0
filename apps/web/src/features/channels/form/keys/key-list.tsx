import type { Channel } from '@tollgate/api'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../components/ui/button.tsx'
import { StatusDot } from '../../../../components/ui/tag.tsx'
import { reasonText } from '../../reason-text.ts'
import { momentText, retryText } from '../../state-sentence.ts'
import { scheduleText } from '../../switching/schedule/schedule-text.ts'
import { AddKeysDialog } from './add-keys-dialog.tsx'
import { KeyActions } from './key-actions.tsx'
import type { StoredKey } from './stored-key.ts'

const tones = { enabled: 'good', resting: 'warn', 'auto-disabled': 'bad', disabled: 'neutral' } as const

/** The stored keys by their hints, how each is doing, and what can be done with one. */
export function KeyList({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const [adding, setAdding] = useState(false)
  const { keys } = channel.health
  if (keys.length === 0) return null
  return (
    <div className="overflow-hidden rounded border">
      <div className="flex items-center justify-between gap-2 border-b bg-sunken px-3 py-1 text-muted text-xs">
        {t('form.storedKeys', { count: keys.length })}
        <Button size="sm" variant="ghost" icon={Plus} onClick={() => setAdding(true)}>
          {t('key.add')}
        </Button>
      </div>
      {adding && <AddKeysDialog channel={channel} onClose={() => setAdding(false)} />}
      <ul className="max-h-56 overflow-y-auto">
        {keys.map((key) => (
          <li
            key={key.id ?? key.index}
            className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b px-3 py-1 text-xs last:border-b-0"
          >
            <span className="figures w-6 text-muted">{key.index + 1}</span>
            <span className="font-mono">{key.hint || '***'}</span>
            <StatusDot tone={tones[key.status]} className="ml-auto">
              {t(`key.${key.status}`)}
            </StatusDot>
            <KeyActions channel={channel} stored={key} isAlone={keys.length === 1} />
            {key.status !== 'enabled' && <KeyReason stored={key} />}
            {key.schedule && (
              <span className="w-full break-words pb-1 pl-9 text-muted">{scheduleText(key.schedule, t)}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Since when and why it is out of service, and when it is tried again. */
function KeyReason({ stored: key }: { readonly stored: StoredKey }) {
  const { t, i18n } = useTranslation('channels')
  const why = key.status === 'disabled' ? t('key.byHand') : reasonText(key, i18n.language)
  return (
    <span className="w-full break-words pb-1 pl-9 text-muted">
      {key.disabled_at > 0 && t('state.sinceTime', { time: momentText(key.disabled_at) })}
      {why || t('state.noReason')}
      {key.retry_at > 0 && ` · ${retryText(key.retry_at, t)}`}
    </span>
  )
}
