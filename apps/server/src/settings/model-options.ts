import type { SettingValues } from '@tollgate/api/settings'
import type { ModelOptions } from '@tollgate/providers'
import type { SettingsReader } from './settings.ts'

/**
 * The settings of models in force, as providers need them: built once per change of any setting.
 * @param maxImages see `GeminiOptions.maxImages`
 */
export function modelOptionsReader(settings: SettingsReader, maxImages: number): () => ModelOptions {
  let known: { readonly values: SettingValues; readonly options: ModelOptions } | undefined
  return () => {
    const { current: values } = settings
    if (known?.values !== values) known = { values, options: modelOptionsOf(values, maxImages) }
    return known.options
  }
}

function modelOptionsOf(values: SettingValues, maxImages: number): ModelOptions {
  return {
    claude: {
      defaultMaxTokens: values['claude.default_max_tokens'],
      headers: values['claude.model_headers_settings'],
      thinkingSuffix: values['claude.thinking_adapter_enabled'],
      budgetShare: values['claude.thinking_adapter_budget_tokens_percentage'],
    },
    gemini: {
      safety: values['gemini.safety_settings'],
      versions: values['gemini.version_settings'],
      maxImages,
      imageModels: values['gemini.supported_imagine_models'],
      thinkingSuffix: values['gemini.thinking_adapter_enabled'],
      budgetShare: values['gemini.thinking_adapter_budget_tokens_percentage'],
    },
  }
}
