import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../../lib/format/format.ts'
import { longRanges, rangeOf, timesOf } from '../../lib/format/range-times.ts'
import type { TimeRange, Times } from '../../lib/format/time-range.ts'
import { dateNow } from '../../lib/server-clock.ts'
import { Button } from '../ui/button.tsx'
import { RangeCalendar } from '../ui/date/calendar.tsx'
import { fullDays } from '../ui/date/calendar-days.ts'
import { DateTimePicker } from '../ui/date/date-time-picker.tsx'
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

/** Chooses a stretch of time: a named one, or one of the person's own. */
export function TimeFilter(props: TimeFilterProps) {
  const { times, defaultRange = 'today', ranges = longRanges, onChange } = props
  const { t } = useTranslation()
  const { from, to } = times
  const range = rangeOf(times, defaultRange)
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
  const [range, setRange] = useState<TimeRange>(rangeOf(times, defaultRange))
  // A range of one's own starts as the one on screen.
  const [visible] = useState(() => timesOf(times, dateNow(), defaultRange))

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
        // The calendar's in one column, the others beside it.
        className="grid grid-flow-col grid-rows-[repeat(6,auto)] gap-x-3"
        options={ranges.map((value) => ({ value, label: t(`time.range.${value}`) }))}
      />
      {range === 'custom' && (
        <OwnRange start={visible} onShow={(own) => onChange({ range: 'custom', ...own })} />
      )}
    </div>
  )
}

/** Times from and to, in Unix seconds; either end may be open. */
interface OwnTimes {
  readonly from: number | undefined
  readonly to: number | undefined
}

interface OwnRangeProps {
  readonly start: Partial<OwnTimes>
  readonly onShow: (times: OwnTimes) => void
}

/** Edits two ends of a stretch of time, shown when the second is not before the first. */
function OwnRange({ start, onShow }: OwnRangeProps) {
  const { t } = useTranslation()
  const [times, setTimes] = useState<OwnTimes>({ from: start.from, to: start.to })
  const { from, to } = times
  const backwards = from !== undefined && to !== undefined && from > to
  return (
    <form
      className="flex flex-col gap-3 border-t pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!backwards) onShow(times)
      }}
    >
      <RangeCalendar {...times} onChoose={(first, last) => setTimes(fullDays(first, last))} />
      <Field label={t('time.from')}>
        <DateTimePicker
          calendar={false}
          value={from}
          onValueChange={(next) => setTimes({ from: next, to })}
          aria-label={t('time.from')}
        />
      </Field>
      <Field label={t('time.to')} error={backwards ? t('time.backwards') : undefined}>
        <DateTimePicker
          calendar={false}
          value={to}
          onValueChange={(next) => setTimes({ from, to: next })}
          aria-label={t('time.to')}
        />
      </Field>
      <Button variant="primary" type="submit" disabled={backwards}>
        {t('time.showRange')}
      </Button>
    </form>
  )
}

/** `11-20 00:00 – 11-21 09:30`, a day that both ends share once: the year is known, and seconds do not matter here. */
function ownRangeText(from: number | undefined, to: number | undefined): string {
  const short = (seconds: number | undefined) =>
    seconds === undefined ? '…' : formatDateTime(seconds).slice(5, 16)
  const [first, last] = [short(from), short(to)]
  return `${first} – ${first.slice(0, 5) === last.slice(0, 5) ? last.slice(6) : last}`
}
