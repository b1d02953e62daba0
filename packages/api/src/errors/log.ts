import type { LocalizedTexts } from './localized-texts.ts'

/** Usage log, charts and exports. */
export const logRefusals = {
  log_clear_time_required: {
    en: 'Choose a time: rows before it are cleared',
    zh: 'target timestamp is required',
  },
  log_clear_time_invalid: {
    en: 'The time must be in the past',
    zh: '清理时间必须是过去的时间',
  },
  log_clear_running: {
    en: 'The log is being cleared already: {deleted} rows so far',
    zh: '日志正在清理中，已清理 {deleted} 条',
  },
  log_clear_not_running: { en: 'The log is not being cleared', zh: '当前没有正在进行的日志清理' },
  data_range_over_month: {
    en: 'Start and end may be at most a month (30 days) apart',
    zh: '时间跨度不能超过 1 个月',
  },
  data_range_over_year: {
    en: 'Start and end may be at most a year (366 days) apart',
    zh: '时间跨度不能超过 1 年',
  },
} as const satisfies LocalizedTexts
