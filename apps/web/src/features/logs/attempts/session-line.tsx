import type { LogEntry, LogOther } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { ChannelName } from './channel-name.tsx'

type Affinity = NonNullable<NonNullable<LogOther['admin_info']>['affinity']>

const known = ['prompt_cache_key', 'session_id', 'user_id', 'conversation'] as const

export interface SessionLineProps {
  readonly entry: LogEntry
  readonly affinity: Affinity
}

/** By what the call was known as one of a session, and which channel is the session's own. */
export function SessionLine({ entry, affinity }: SessionLineProps) {
  const { t } = useTranslation('logs')
  const by = known.find((name) => name === affinity.by)
  return (
    <p className="mt-2 text-muted text-xs">
      {by ? t(`session.${by}`) : affinity.by} <ChannelName id={affinity.channel} entry={entry} />
    </p>
  )
}
