import { useTranslation } from 'react-i18next'
import { FormField } from '../../../components/form/index.ts'
import { DateTimePicker } from '../../../components/ui/date/date-time-picker.tsx'
import { PresetChips } from '../../../components/ui/field/preset-chips.tsx'
import { formatDateTime } from '../../../lib/format/format.ts'
import { relativeTime } from '../../../lib/format/relative-time.ts'
import { secondsNow } from '../../../lib/server-clock.ts'
import { neverExpires } from '../token-state.ts'
import { change, type TokenFieldProps } from './field-props.ts'
import { type ExpiryShortcut, expiryShortcuts, fieldLabels, type TokenForm } from './token-form.ts'

const shortcuts = Object.keys(expiryShortcuts) as readonly ExpiryShortcut[]

/** Until when the key works. A time is a choice of its own, so that an emptied box cannot mean "never". */
export function ExpiryField({ form }: TokenFieldProps) {
  const { t } = useTranslation('tokens')
  const expires = form.watch('expired_time') !== neverExpires
  const chips = [
    {
      label: t('expiry.never'),
      pressed: !expires,
      choose: () => change(form, { expired_time: neverExpires }),
    },
    ...shortcuts.map((shortcut) => ({
      label: t(`expiry.${shortcut}`),
      choose: () => change(form, { expired_time: Math.ceil(secondsNow()) + expiryShortcuts[shortcut] }),
    })),
    {
      label: t('expiry.pick'),
      pressed: expires,
      choose: () => expires || change(form, { expired_time: undefined }),
    },
  ]
  return (
    <FormField<TokenForm, number | undefined>
      form={form}
      name="expired_time"
      label={t(fieldLabels.expired_time)}
      hint={<ExpiryHint form={form} />}
    >
      {({ value, onChange }) => (
        <>
          <PresetChips chips={chips} />
          {expires && <DateTimePicker value={value} onValueChange={onChange} />}
        </>
      )}
    </FormField>
  )
}

/** Shows the time until the end. */
function ExpiryHint({ form }: TokenFieldProps) {
  const { t, i18n } = useTranslation('tokens')
  const expiresAt = form.watch('expired_time')
  const now = Math.ceil(secondsNow())
  if (expiresAt === neverExpires) return <>{t('expiry.neverWords')}</>
  if (expiresAt === undefined) return null
  const distance = relativeTime(expiresAt, now, i18n.language, 'long')
  const words = expiresAt > now ? 'expiry.words' : 'expiry.pastWords'
  return <>{t(words, { distance, time: formatDateTime(expiresAt) })}</>
}
