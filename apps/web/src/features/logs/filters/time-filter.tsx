import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { RadioGroup } from '../../../components/ui/choice.tsx'
import { DateTimePicker } from '../../../components/ui/date-time-picker.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { FilterChip } from '../../../components/ui/filter-chip.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { type LogFilter, type TimeRange, timesOf } from '../log-filter.ts'

type Times = Pick<LogFilter, 'range' | 'from' | 'to'>

export interface TimeFilterProps {
  readonly times: Times
  readonly onChange: (times: Times) => void
}

const ranges: readonly TimeRange[] = ['today', '24h', '7d', '30d', 'custom']
const today: Times = { range: undefined, from: undefined, to: undefined }

/** Which stretch of time: a named one, or one of the person's own. */
export function TimeFilter({ times, onChange }: TimeFilterProps) {
  const { t } = useTranslation('logs')
  const { range = 'today', from, to } = times
  const isToday = range === 'today'
  const text = range === 'custom' ? ownRangeText(from, to) : t(`range.${range}`)
  return (
    <FilterChip
      label={isToday ? t('filter.today') : t('filter.time')}
      value={isToday ? undefined : text}
      onClear={() => onChange(today)}
      className="w-72"
    >
      {(close) => (
        <TimeEditor
          times={times}
          onChange={(next) => {
            onChange(next)
            close()
          }}
        />
      )}
    </FilterChip>
  )
}

function TimeEditor({ times, onChange }: TimeFilterProps) {
  const { t } = useTranslation('logs')
  const [range, setRange] = useState<TimeRange>(times.range ?? 'today')
  // A range of one's own starts as the one on screen.
  const [shown] = useState(() => timesOf(times, new Date()))
  const [from, setFrom] = useState(shown.from)
  const [to, setTo] = useState(shown.to)
  const backwards = from !== undefined && to !== undefined && from > to

  function choose(next: TimeRange): void {
    setRange(next)
    if (next === 'today') onChange(today)
    else if (next !== 'custom') onChange({ range: next, from: undefined, to: undefined })
  }

  return (
    <div className="flex flex-col gap-3">
      <RadioGroup
        aria-label={t('filter.time')}
        value={range}
        onValueChange={choose}
        options={ranges.map((value) => ({ value, label: t(`range.${value}`) }))}
      />
      {range === 'custom' && (
        <form
          className="flex flex-col gap-3 border-t pt-3"
          onSubmit={(event) => {
            event.preventDefault()
            if (!backwards) onChange({ range: 'custom', from, to })
          }}
        >
          <Field label={t('filter.from')}>
            <DateTimePicker value={from} onValueChange={setFrom} aria-label={t('filter.from')} />
          </Field>
          <Field label={t('filter.to')} error={backwards ? t('filter.backwards') : undefined}>
            <DateTimePicker value={to} onValueChange={setTo} aria-label={t('filter.to')} />
          </Field>
          <Button variant="primary" type="submit" disabled={backwards}>
            {t('filter.showRange')}
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
