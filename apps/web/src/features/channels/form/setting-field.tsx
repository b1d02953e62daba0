import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Switch } from '../../../components/ui/field/choice.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { Input, Textarea } from '../../../components/ui/field/input.tsx'
import { JsonEditor } from '../../../components/ui/field/json-editor.tsx'
import {
  type ExtraSetting,
  extraSettingOf,
  fieldSwitches,
  isOn,
  settingFlags,
  switchesOf,
  withExtraSetting,
  withSwitch,
} from './extra-setting.ts'
import { FormGroup, type SectionProps } from './form-field.tsx'

const exampleProxy = 'socks5://user:password@proxy.example.com:1080'

/** A control for what this version applies, and the JSON for everything. */
export function SettingField({ form, change, problems }: SectionProps) {
  const { t } = useTranslation('channels')
  const setting = extraSettingOf(form.setting)
  const [asJson, setAsJson] = useState(setting === undefined)
  const onChange = (changed: Partial<ExtraSetting>) =>
    change({ setting: withExtraSetting(form.setting, changed) })
  return (
    <FormGroup
      name="setting"
      problem={problems.setting}
      label={t('field.setting')}
      aside={
        <Button
          variant="ghost"
          size="sm"
          className="-my-1"
          disabled={setting === undefined}
          onClick={() => setAsJson(!asJson)}
        >
          {t(asJson ? 'mapping.asControls' : 'mapping.asJson')}
        </Button>
      }
    >
      {asJson || setting === undefined ? (
        <JsonEditor
          value={form.setting}
          example={`{\n  "proxy": "${exampleProxy}"\n}`}
          onValueChange={(text) => change({ setting: text })}
        />
      ) : (
        <>
          <SettingControls form={form} change={change} setting={setting} onChange={onChange} />
          <FieldSwitches form={form} change={change} />
        </>
      )}
    </FormGroup>
  )
}

interface ControlsProps extends Pick<SectionProps, 'form' | 'change'> {
  readonly setting: ExtraSetting
  readonly onChange: (changed: Partial<ExtraSetting>) => void
}

function SettingControls({ form, change, setting, onChange }: ControlsProps) {
  const { t } = useTranslation('channels')
  return (
    <div className="grid gap-4 rounded border px-3 py-2.5">
      <Field label={t('setting.proxy')} hint={t('setting.proxyHint')}>
        <Input
          mono
          value={setting.proxy}
          placeholder={exampleProxy}
          onChange={(event) => onChange({ proxy: event.target.value })}
        />
      </Field>
      <Field label={t('setting.system_prompt')} hint={t('setting.system_promptHint')}>
        <Textarea
          rows={3}
          value={setting.system_prompt}
          onChange={(event) => onChange({ system_prompt: event.target.value })}
        />
      </Field>
      {settingFlags.map((flag) => (
        <Switch
          key={flag}
          checked={setting[flag]}
          disabled={flag === 'system_prompt_override' && setting.system_prompt === '' && !setting[flag]}
          onCheckedChange={(checked) => onChange({ [flag]: checked })}
          label={t(`setting.${flag}`)}
          hint={t(`setting.${flag}Hint`)}
        />
      ))}
      {switchesOf(form.type).map((name) => (
        <Switch
          key={name}
          checked={isOn(form.setting, name)}
          onCheckedChange={(on) => change({ setting: withSwitch(form.setting, name, on) })}
          label={t(`setting.${name}`)}
          hint={t(`setting.${name}Hint`)}
        />
      ))}
    </div>
  )
}

/** Switches the fields by which callers may request more than tokens from the provider. */
function FieldSwitches({ form, change }: Pick<SectionProps, 'form' | 'change'>) {
  const { t } = useTranslation('channels')
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend would sit in the border, over the box's own padding
    <div
      role="group"
      aria-labelledby={id}
      className="grid gap-x-8 gap-y-3 rounded border px-3 py-2.5 sm:grid-cols-2"
    >
      <div className="grid gap-1 sm:col-span-2">
        <span id={id} className="font-medium text-sm">
          {t('callerFields.title')}
        </span>
        <p className="text-muted text-xs">{t('callerFields.hint')}</p>
      </div>
      {fieldSwitches.map((flag) => (
        <Switch
          key={flag}
          checked={isOn(form.setting, flag)}
          onCheckedChange={(on) => change({ setting: withSwitch(form.setting, flag, on) })}
          label={t(`callerFields.${flag}`)}
          hint={
            <>
              {t(`callerFields.${flag}Hint`)} <code className="block">{flag}</code>
            </>
          }
        />
      ))}
    </div>
  )
}
