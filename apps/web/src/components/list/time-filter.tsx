import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../../lib/format/format.ts'
import { type TimeRange, type Times, timeRanges, timesOf } from '../../lib/format/time-range.ts'
import { Button } from '../ui/button.tsx'
import { RangeCalendar } from '../ui/date/calendar.tsx'
import { fullDays } from '../ui/date/calendar-days.ts'
import { DateTimePicker } from '../ui/date/date-time-picker.tsx'
import { RadioGroup } from '../ui/field/choice.tsx'
import { Field } from '../ui/field/field.tsx'
import { FilterChip } from '../ui/filter-bar.tsx'

export interface TimeFilterProps {
  readonly times: Times
  /** What the page shows at first; today unless told. */
  readonly defaultRange?: TimeRange
  readonly onChange: (times: Times) => void
}

const unnamed: Times = { range: undefined, from: undefined, to: undefined }

/** Which stretch of time: a named one, or one of the person's own. */
export function TimeFilter({ times, defaultRange = 'today', onChange }: TimeFilterProps) {
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
          onChange={(next) => {
            onChange(next)
            close()
          }}
        />
      )}
    </FilterChip>
  )
}

function TimeEditor({ times, defaultRange, onChange }: Required<TimeFilterProps>) {
  const { t } = useTranslation()
  const [range, setRange] = useState<TimeRange>(times.range ?? defaultRange)
  // A range of one's own starts as the one on screen.
  const [shown] = useState(() => timesOf(times, new Date(), defaultRange))
  const [from, setFrom] = useState(shown.from)
  const [to, setTo] = useState(shown.to)
  const backwards = from !== undefined && to !== undefined && from > to

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
        options={timeRanges.map((value) => ({ value, label: t(`time.range.${value}`) }))}
      />
      {range === 'custom' && (
        <form
          className="flex flex-col gap-3 border-t pt-3"
          onSubmit={(event) => {
            event.preventDefault()
            if (!backwards) onChange({ range: 'custom', from, to })
          }}
        >
          <RangeCalendar
            from={from}
            to={to}
            onChoose={(first, last) => {
              const days = fullDays(first, last)
              setFrom(days.from)
              setTo(days.to)
            }}
          />
          <Field label={t('time.from')}>
            <DateTimePicker
              value={from}
              onValueChange={setFrom}
              calendar={false}
              aria-label={t('time.from')}
            />
          </Field>
          <Field label={t('time.to')} error={backwards ? t('time.backwards') : undefined}>
            <DateTimePicker value={to} onValueChange={setTo} calendar={false} aria-label={t('time.to')} />
          </Field>
          <Button variant="primary" type="submit" disabled={backwards}>
            {t('time.showRange')}
          </Button>
        </form>
      )}
    </div>
  )
}

/** `11-20 00:00 – 11-21 09:30`: the year is known, and seconds do not matter here. */
function ownRangeText(from: number | undefined, to: number | undefined): string {
  const short = (seconds: number | undefined) =>
    seconds === undefined ? '…' : formatDateTime(seconds).slice(5, 16)
  return `${short(from)} – ${short(to)}`
}
