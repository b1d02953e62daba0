import { useMemo, useState } from 'react'
import { type ClassNames, DayPicker, type Modifiers } from 'react-day-picker'
import { enUS } from 'react-day-picker/locale/en-US'
import { zhCN } from 'react-day-picker/locale/zh-CN'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../../i18n/index.ts'
import { firstDayOfWeek } from '../../../lib/format/week.ts'
import { type DayCalendarProps, dateOf, type RangeCalendarProps } from './calendar-days.ts'

const locales = { en: enUS, zh: zhCN } as const

const step = 'grid size-8 place-items-center rounded text-muted hover:bg-hover hover:text-text max-sm:size-10'
const classNames: Partial<ClassNames> = {
  months: 'relative',
  nav: 'absolute top-0 right-0 flex',
  button_previous: step,
  button_next: step,
  chevron: 'size-4 fill-current',
  month_caption: 'flex h-8 items-center px-2 font-medium text-sm max-sm:h-10',
  month_grid: 'border-collapse',
  weekday: 'size-8 font-normal text-2xs text-muted max-sm:size-10',
  day: 'p-0 text-center text-sm',
  day_button:
    'figures size-8 rounded hover:bg-hover disabled:pointer-events-none disabled:opacity-40 focus-visible:-outline-offset-2 max-sm:size-10',
  outside: 'text-faint',
  today: 'font-semibold text-accent-text',
  selected: 'rounded bg-accent text-on-accent [&>button]:hover:bg-accent-hover',
  range_start: 'rounded-r-none',
  range_middle: 'rounded-none bg-accent-soft! text-accent-text! [&>button]:hover:bg-hover',
  range_end: 'rounded-l-none',
}

function useShared() {
  const { t, i18n } = useTranslation()
  const dayFormat = useMemo(
    () => new Intl.DateTimeFormat(i18n.language, { dateStyle: 'full' }),
    [i18n.language],
  )
  return {
    classNames,
    locale: locales[currentLanguage()],
    weekStartsOn: firstDayOfWeek(),
    showOutsideDays: true,
    fixedWeeks: true,
    labels: {
      // With the number as a word of its own, as it is written on the button: "27" and not "27th".
      labelDayButton: (date: Date, { today }: Modifiers) =>
        today ? t('calendar.today', { day: dayFormat.format(date) }) : dayFormat.format(date),
    },
  }
}

export function DayGrid({ value, min, onChoose }: DayCalendarProps) {
  const shared = useShared()
  const selected = dateOf(value)
  const first = dateOf(min)
  return (
    <DayPicker
      {...shared}
      mode="single"
      autoFocus
      required
      selected={selected}
      onSelect={onChoose}
      {...(selected && { defaultMonth: selected })}
      {...(first && { disabled: { before: first }, startMonth: first })}
    />
  )
}

export function RangeGrid({ from, to, onChoose }: RangeCalendarProps) {
  const shared = useShared()
  const start = dateOf(from)
  // The first day of a range whose last is still to come: what is given already ends with it.
  const [started, setStarted] = useState<Date>()
  return (
    <DayPicker
      {...shared}
      mode="range"
      selected={started ? { from: started } : { from: start, to: dateOf(to) }}
      onSelect={(range) => {
        if (!range?.from) return
        setStarted(range.to === undefined ? range.from : undefined)
        onChoose(range.from, range.to ?? range.from)
      }}
      {...(start && { defaultMonth: start })}
      resetOnSelect
    />
  )
}
