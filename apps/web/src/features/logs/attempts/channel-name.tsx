import { useQuery } from '@tanstack/react-query'
import type { LogEntry } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { channelNameQuery } from '../api.ts'

/** Name of a channel that was tried; its number where it is gone. */
export function useChannelName(id: number, entry: Pick<LogEntry, 'channel' | 'channel_name'>): string {
  const { t } = useTranslation('logs')
  const own = id === entry.channel ? entry.channel_name : ''
  const { data = own } = useQuery({ ...channelNameQuery(id), enabled: own === '' && id > 0 })
  return data || t('channel.number', { id })
}

export interface ChannelNameProps {
  readonly id: number
  /** The row it is told in, which names one channel itself. */
  readonly entry: Pick<LogEntry, 'channel' | 'channel_name'>
}

export function ChannelName({ id, entry }: ChannelNameProps) {
  return <span title={`#${id}`}>{useChannelName(id, entry)}</span>
}
