import type { LogEntry } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { useChannelName } from '../../../lib/api/channel-name.ts'

export interface ChannelNameProps {
  readonly id: number
  /** The row that shows it; the row has the name of one channel. */
  readonly entry: Pick<LogEntry, 'channel' | 'channel_name'>
}

/** A tried channel by its name, or by its number once it is deleted. */
export function ChannelName({ id, entry }: ChannelNameProps) {
  const { t } = useTranslation('logs')
  const name = useChannelName(id, id === entry.channel ? entry.channel_name : '')
  return <span title={`#${id}`}>{name ?? t('channel.number', { id })}</span>
}
