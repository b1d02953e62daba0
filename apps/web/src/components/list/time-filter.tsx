import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../lib/cx.ts'
import { formatDateTime } from '../../lib/format/format.ts'
import { longRanges, type TimeRange, type Times, timesOf } from '../../lib/format/time-range.ts'
import { Button } from '../ui/button.tsx'
import { RangeCalendar } from '../ui/date/calendar.tsx'
import { fullDays } from '../ui/date/calendar-days.ts'
import { DateTimePicker, type DateTimePickerProps } from '../ui/date/date-time-picker.tsx'
import { RadioGroup } from '../ui/field/choice.tsx'
import { Field } from '../ui/field/field.tsx'
import { FilterChip } from '../ui/filter-bar.tsx'

export interface TimeFilterProps {
  readonly times: Times
  /** The initial range of the page; today by default. */
  readonly defaultRange?: TimeRange
  /** Those to choose from. */
  readonly ranges?: readonly TimeRange[]
  readonly onChange: (times: Times) => void
}

const unnamed: Times = { range: undefined, from: undefined, to: undefined }

/** Which stretch of time: a named one, or one of the person's own. */
export function TimeFilter(props: TimeFilterProps) {
  const { times, defaultRange = 'today', ranges = longRanges, onChange } = props
  const { t } = useTranslation()
  const { range = defaultRange, from, to } = times
  const text = range === 'custom' ? ownRangeText(from, to) : t(`time.range.${range}`)
  return (
    <FilterChip
      label={range === defaultRange ? t('time.shown', { range: text }) : t('time.label')}
      value={range === defaultRange ? undefined : text}
      onClear={() => onChange(unnamed)}
      className="w-72"
    >
      {(close) => (
        <TimeEditor
          times={times}
          defaultRange={defaultRange}
          ranges={ranges}
          onChange={(next) => {
            onChange(next)
            close()
          }}
        />
      )}
    </FilterChip>
  )
}

function TimeEditor({ times, defaultRange, ranges, onChange }: Required<TimeFilterProps>) {
  const { t } = useTranslation()
  const [range, setRange] = useState<TimeRange>(times.range ?? defaultRange)
  // A range of one's own starts as the one on screen.
  const [shown] = useState(() => timesOf(times, new Date(), defaultRange))

  function choose(next: TimeRange): void {
    setRange(next)
    if (next === defaultRange) onChange(unnamed)
    else if (next !== 'custom') onChange({ range: next, from: undefined, to: undefined })
  }

  return (
    <div className="flex flex-col gap-3">
      <RadioGroup
        aria-label={t('time.label')}
        value={range}
        onValueChange={choose}
        options={ranges.map((value) => ({ value, label: t(`time.range.${value}`) }))}
      />
      {range === 'custom' && (
        <TimesForm
          className="border-t pt-3"
          times={shown}
          onShow={(own) => onChange({ range: 'custom', ...own })}
          texts={{
            from: t('time.from'),
            to: t('time.to'),
            backwards: t('time.backwards'),
            show: t('time.showRange'),
          }}
          picker={{ calendar: false }}
        >
          {(own, change) => (
            <RangeCalendar {...own} onChoose={(first, last) => change(fullDays(first, last))} />
          )}
        </TimesForm>
      )}
    </div>
  )
}

/** From when to when, in Unix seconds; either end may be open. */
export interface OwnTimes {
  readonly from: number | undefined
  readonly to: number | undefined
}

interface TimesFormProps {
  readonly times: Partial<OwnTimes>
  readonly onShow: (times: OwnTimes) => void
  /** Already translated. */
  readonly texts: Readonly<Record<'from' | 'to' | 'backwards' | 'show', string>>
  /** How the ends are chosen. */
  readonly picker?: Pick<DateTimePickerProps, 'calendar'>
  /** What the beginning is often. */
  readonly shortcuts?: DateTimePickerProps['shortcuts']
  /** Above the boxes. */
  readonly children?: (times: OwnTimes, change: (times: OwnTimes) => void) => ReactNode
  readonly className?: string
}

/** Two ends of a stretch of time, shown when the second is not before the first. */
export function TimesForm(props: TimesFormProps) {
  const { onShow, texts, picker, shortcuts, children, className } = props
  const [times, setTimes] = useState<OwnTimes>({ from: props.times.from, to: props.times.to })
  const { from, to } = times
  const backwards = from !== undefined && to !== undefined && from > to
  return (
    <form
      className={cx('flex flex-col gap-3', className)}
      onSubmit={(event) => {
        event.preventDefault()
        if (!backwards) onShow(times)
      }}
    >
      {children?.(times, setTimes)}
      <Field label={texts.from}>
        <DateTimePicker
          {...picker}
          value={from}
          onValueChange={(next) => setTimes({ from: next, to })}
          aria-label={texts.from}
          {...(shortcuts && { shortcuts })}
        />
      </Field>
      <Field label={texts.to} error={backwards ? texts.backwards : undefined}>
        <DateTimePicker
          {...picker}
          value={to}
          onValueChange={(next) => setTimes({ from, to: next })}
          aria-label={texts.to}
        />
      </Field>
      <Button variant="primary" type="submit" disabled={backwards}>
        {texts.show}
      </Button>
    </form>
  )
}

/** `11-20 00:00 – 11-21 09:30`, a day that both ends share once: the year is known, and seconds do not matter here. */
export function ownRangeText(from: number | undefined, to: number | undefined): string {
  const short = (seconds: number | undefined) =>
    seconds === undefined ? '…' : formatDateTime(seconds).slice(5, 16)
  const [first, last] = [short(from), short(to)]
  return `${first} – ${first.slice(0, 5) === last.slice(0, 5) ? last.slice(6) : last}`
}
