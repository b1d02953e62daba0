import { type Language, type LogEntry, type LogOther, type LogType, logTypes, nameOf } from '@tollgate/api'
import type { Zone } from '@tollgate/api/calendar'
import { type ExportedAmount, localTime, moneyCells, moneyHeaders } from '../../lib/export-cells.ts'

interface Column {
  readonly header: Readonly<Record<Language, string>>
  readonly cell: (row: LogEntry, other: LogOther, visible: Visible) => string | number | boolean
  /** Users have no channels in their log. */
  readonly adminsOnly?: true
}

/** The reader of the export. */
export interface Visible {
  readonly language: Language
  /** The reader's clock. */
  readonly zone: Zone
  readonly quotaPerUnit: number
}

const typeNames: Readonly<Record<Language, Readonly<Record<LogType, string>>>> = {
  en: {
    'top-up': 'Top-up',
    consumption: 'Consumption',
    management: 'Management',
    system: 'System',
    error: 'Error',
  },
  zh: { 'top-up': '充值', consumption: '消费', management: '管理', system: '系统', error: '错误' },
}

const columns: readonly Column[] = [
  { header: { en: 'ID', zh: 'ID' }, cell: (row) => row.id },
  {
    header: { en: 'Time', zh: '时间' },
    cell: (row, _, { zone }) => localTime(row.created_at, zone),
  },
  { header: { en: 'Type', zh: '类型' }, cell: (row, _, { language }) => typeName(row.type, language) },
  { header: { en: 'Channel ID', zh: '渠道 ID' }, cell: (row) => row.channel, adminsOnly: true },
  { header: { en: 'Channel', zh: '渠道' }, cell: (row) => row.channel_name, adminsOnly: true },
  { header: { en: 'User ID', zh: '用户 ID' }, cell: (row) => row.user_id, adminsOnly: true },
  { header: { en: 'User', zh: '用户' }, cell: (row) => row.username, adminsOnly: true },
  { header: { en: 'API key', zh: '令牌' }, cell: (row) => row.token_name },
  { header: { en: 'Group', zh: '分组' }, cell: (row) => row.group },
  { header: { en: 'Model', zh: '模型' }, cell: (row) => row.model_name },
  { header: { en: 'Duration (s)', zh: '用时（秒）' }, cell: (row) => row.use_time },
  {
    header: { en: 'First token (ms)', zh: '首 Token（毫秒）' },
    cell: (_, { frt }) => (frt !== undefined && frt >= 0 ? frt : ''),
  },
  { header: { en: 'Stream', zh: '流式' }, cell: (row) => row.is_stream },
  { header: { en: 'Prompt tokens', zh: '提示 tokens' }, cell: (row) => row.prompt_tokens },
  { header: { en: 'Completion tokens', zh: '补全 tokens' }, cell: (row) => row.completion_tokens },
  ...amountColumns('charge', ({ quota }) => quota),
  ...amountColumns('cost', ({ cost }) => cost, true),
  ...amountColumns(
    'margin',
    ({ quota, cost }) => (cost === undefined || cost === null ? undefined : quota - cost),
    true,
  ),
  {
    header: { en: 'Channels tried', zh: '重试' },
    cell: (_, { admin_info }) => admin_info?.use_channel?.join(' → ') ?? '',
    adminsOnly: true,
  },
  { header: { en: 'Details', zh: '详情' }, cell: (row) => row.content },
  { header: { en: 'Request ID', zh: '请求 ID' }, cell: (row) => row.request_id },
]

/** An amount as two columns: in currency, and in units. */
function amountColumns(
  name: ExportedAmount,
  amountOf: (row: LogEntry) => number | null | undefined,
  adminsOnly?: true,
): Column[] {
  return ([0, 1] as const).map((index) => ({
    header: { en: moneyHeaders(name, 'en')[index], zh: moneyHeaders(name, 'zh')[index] },
    cell: (row, _, { quotaPerUnit }) => moneyCells(amountOf(row), quotaPerUnit)[index],
    ...(adminsOnly && { adminsOnly }),
  }))
}

function columnsFor(reader: 'admin' | 'owner'): readonly Column[] {
  return reader === 'admin' ? columns : columns.filter((column) => column.adminsOnly !== true)
}

export function headerCells(reader: 'admin' | 'owner', { language }: Visible): string[] {
  return columnsFor(reader).map(({ header }) => header[language])
}

export function rowCells(
  row: LogEntry,
  reader: 'admin' | 'owner',
  visible: Visible,
): (string | number | boolean)[] {
  const other = parsedOther(row.other)
  return columnsFor(reader).map(({ cell }) => cell(row, other, visible))
}

/** Accepts any stored value: rows may have been imported. */
function parsedOther(text: string): LogOther {
  try {
    const parsed: unknown = text === '' ? {} : JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? (parsed as LogOther) : {}
  } catch {
    return {}
  }
}

function typeName(type: number, language: Language): string {
  const name = nameOf(logTypes, type)
  return name === undefined ? String(type) : typeNames[language][name]
}
