import {
  type Checks,
  decimal,
  integer,
  list,
  object,
  text,
  textOrList,
  textOrObject,
} from '../requests/field-checks.ts'

/** Fields that their vendor documents, for what no upstream takes. https://platform.claude.com/docs/en/api/messages */
export const messagesChecks: Checks = {
  system: textOrList,
  stop_sequences: list,
  temperature: decimal(0, 2),
  top_p: decimal(0, 1),
  top_k: integer(-1, Number.MAX_SAFE_INTEGER),
  tools: list,
  tool_choice: object,
  thinking: object,
  output_config: object,
  metadata: object,
  service_tier: text,
  container: textOrObject,
  context_management: object,
  mcp_servers: list,
}
