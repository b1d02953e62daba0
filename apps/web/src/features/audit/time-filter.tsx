import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { DateTimePicker } from '../../components/ui/date/date-time-picker.tsx'
import { Field } from '../../components/ui/field/field.tsx'
import { FilterChip } from '../../components/ui/filter-bar.tsx'
import { formatDateTime } from '../../lib/format/format.ts'

interface Times {
  readonly from: number | undefined
  readonly to: number | undefined
}

export interface TimeFilterProps extends Times {
  readonly onChange: (times: Times) => void
}

const day = 24 * 3600

/** From when to when; either end may be open. */
export function TimeFilter({ from, to, onChange }: TimeFilterProps) {
  const { t } = useTranslation('audit')
  const open = from === undefined && to === undefined
  return (
    <FilterChip
      label={t('filter.time')}
      value={open ? undefined : `${shortTime(from)} – ${shortTime(to)}`}
      onClear={() => onChange({ from: undefined, to: undefined })}
      className="w-72"
    >
      {(close) => (
        <TimeEditor
          from={from}
          to={to}
          onChange={(times) => {
            onChange(times)
            close()
          }}
        />
      )}
    </FilterChip>
  )
}

function TimeEditor({ onChange, ...times }: TimeFilterProps) {
  const { t } = useTranslation('audit')
  const [from, setFrom] = useState(times.from)
  const [to, setTo] = useState(times.to)
  const backwards = from !== undefined && to !== undefined && from > to
  const ago = (days: number) => () => Math.floor(Date.now() / 1000) - days * day
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!backwards) onChange({ from, to })
      }}
    >
      <Field label={t('filter.from')}>
        <DateTimePicker
          value={from}
          onValueChange={setFrom}
          aria-label={t('filter.from')}
          shortcuts={[
            { label: t('filter.lastDay'), at: ago(1) },
            { label: t('filter.lastWeek'), at: ago(7) },
            { label: t('filter.lastMonth'), at: ago(30) },
          ]}
        />
      </Field>
      <Field label={t('filter.to')} error={backwards ? t('filter.backwards') : undefined}>
        <DateTimePicker value={to} onValueChange={setTo} aria-label={t('filter.to')} />
      </Field>
      <Button variant="primary" type="submit" disabled={backwards}>
        {t('filter.show')}
      </Button>
    </form>
  )
}

/** `11-20 00:00`; seconds do not matter here. */
function shortTime(seconds: number | undefined): string {
  return seconds === undefined ? '…' : formatDateTime(seconds).slice(5, 16)
}
