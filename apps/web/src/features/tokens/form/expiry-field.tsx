import { useTranslation } from 'react-i18next'
import { DateTimePicker } from '../../../components/ui/date-time-picker.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { PresetChips } from '../../../components/ui/preset-chips.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { relativeTime } from '../../../lib/relative-time.ts'
import type { TokenFieldProps } from './field-props.ts'
import { type ExpiryShortcut, expiryShortcuts } from './token-form.ts'

const shortcuts = Object.keys(expiryShortcuts) as readonly ExpiryShortcut[]

/** Until when the key works. A time is a choice of its own, so that an emptied box cannot mean "never". */
export function ExpiryField({ form, onChange, errors }: TokenFieldProps) {
  const { t, i18n } = useTranslation('tokens')
  const { expires, expiresAt } = form
  const now = Math.ceil(Date.now() / 1000)
  const words =
    expiresAt !== undefined &&
    t(expiresAt > now ? 'expiry.words' : 'expiry.pastWords', {
      distance: relativeTime(expiresAt, now, i18n.language, 'long'),
      time: formatDateTime(expiresAt),
    })
  return (
    <Field label={t('expiry.label')} error={errors.expiresAt} hint={expires ? words : t('expiry.neverWords')}>
      <PresetChips
        chips={[
          {
            label: t('expiry.never'),
            pressed: !expires,
            choose: () => onChange({ expires: false, expiresAt: undefined }),
          },
          ...shortcuts.map((shortcut) => ({
            label: t(`expiry.${shortcut}`),
            choose: () => onChange({ expires: true, expiresAt: now + expiryShortcuts[shortcut] }),
          })),
          { label: t('expiry.pick'), pressed: expires, choose: () => onChange({ expires: true }) },
        ]}
      />
      {expires && (
        <DateTimePicker value={expiresAt} onValueChange={(next) => onChange({ expiresAt: next })} />
      )}
    </Field>
  )
}
