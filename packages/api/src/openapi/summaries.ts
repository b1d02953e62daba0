import type { Call } from '../call.ts'

/** What each call does, in one line. Kept apart from the contract, so that no prose reaches the browser. */
const summaries: Readonly<Record<string, string>> = {
  // First run and facts about the installation
  'GET /api/setup': 'Whether first-run setup is done',
  'POST /api/setup': 'Run first-run setup: create the root user and choose the mode',
  'GET /api/status': 'Public facts about this installation',
  'GET /api/status/test': 'Whether the database answers',
  'GET /api/notice': 'The notice of the operator',
  'GET /api/about': 'Content of the about page',
  'GET /api/home_page_content': 'Content of the home page',
  'GET /api/openapi.json': 'This document',

  // Sign-in and registration
  'POST /api/user/login': 'Log in with a password',
  'GET /api/user/logout': 'Log out and end the session',
  'POST /api/user/register': 'Open an account',
  'GET /api/verification': 'Mail a verification code',
  'GET /api/reset_password': 'Mail a link that resets the password',
  'POST /api/user/reset': 'Set a new password with the token of a mailed link',
  'GET /api/oauth/state': 'Begin a sign-in with another provider',
  'GET /api/oauth/github': 'Finish a sign-in with GitHub, or bind it to the account that is logged in',
  'GET /api/oauth/oidc':
    'Finish a sign-in with the OIDC provider, or bind it to the account that is logged in',
  'GET /api/oauth/linuxdo': 'Finish a sign-in with LinuxDO, or bind it to the account that is logged in',
  'GET /api/oauth/wechat': 'Log in with a WeChat code',
  'GET /api/oauth/wechat/bind': 'Bind a WeChat account to the own account',
  'GET /api/oauth/email/bind': 'Bind an e-mail address to the own account',
  'GET /api/oauth/telegram/login': 'Log in with what Telegram’s widget signed',
  'GET /api/oauth/telegram/bind': 'Bind a Telegram account to the own account',

  // The own account
  'GET /api/user/self': 'The own account',
  'PUT /api/user/self': 'Change own name or password',
  'DELETE /api/user/self': 'Delete the own account',
  'GET /api/user/models': 'Names of the models that are open to the caller',
  'GET /api/user/self/groups': 'Groups open to the caller, with their price ratios',
  'GET /api/user/groups': 'Groups open to new users, with their price ratios',
  'GET /api/user/token': 'Make a new system access token, which replaces the old one',
  'GET /api/user/aff': 'The own invite code',
  'POST /api/user/aff_transfer': 'Move earnings of invitations to the balance',
  'PUT /api/user/setting': 'Change notification settings',

  // Administration of users
  'GET /api/user': 'List users',
  'GET /api/user/search': 'Search users by name, address or group',
  'GET /api/user/:id': 'One user',
  'POST /api/user': 'Create a user',
  'PUT /api/user': 'Change a user',
  'DELETE /api/user/:id': 'Delete a user',
  'POST /api/user/manage': 'Promote, demote, disable, enable or delete a user',

  // Options, groups, models and prices
  'GET /api/option': 'List the options that the caller may see; secrets are never shown',
  'PUT /api/option': 'Change an option',
  'POST /api/option/rest_model_ratio': 'Set the ratios of all models back to the built-in ones',
  'GET /api/group': 'Names of all groups',
  'GET /api/models': 'Channel types and the models that they usually serve',
  'GET /api/pricing': 'Prices of all models for the asking user',

  // Channels
  'GET /api/channel': 'List channels',
  'GET /api/channel/search': 'Search channels',
  'GET /api/channel/:id': 'One channel',
  'POST /api/channel': 'Create a channel',
  'PUT /api/channel': 'Change a channel',
  'DELETE /api/channel/:id': 'Delete a channel',
  'GET /api/channel/models': 'All model names known to this server',
  'GET /api/channel/models_enabled': 'Models that enabled channels serve',
  'GET /api/channel/test/:id': 'Test a channel',
  'GET /api/channel/test': 'Start a test of all enabled channels',
  'GET /api/channel/update_balance/:id': 'Ask an upstream for the balance of a channel',
  'GET /api/channel/update_balance': 'Ask all upstreams for the balances of their channels',
  'DELETE /api/channel/disabled': 'Delete all disabled channels',
  'POST /api/channel/batch': 'Delete several channels',
  'POST /api/channel/batch/tag': 'Set the tag of several channels',
  'POST /api/channel/fix': 'Repair what routing knows of the channels',
  'PUT /api/channel/tag': 'Change all channels of a tag',
  'POST /api/channel/tag/enabled': 'Enable all channels of a tag',
  'POST /api/channel/tag/disabled': 'Disable all channels of a tag',
  'GET /api/channel/fetch_models/:id': 'Ask a channel’s upstream for its models',
  'POST /api/channel/fetch_models': 'Ask an upstream for its models before there is a channel',

  // Keys
  'GET /api/token': 'List own API keys',
  'GET /api/token/search': 'Search own API keys',
  'GET /api/token/:id': 'One own API key',
  'POST /api/token': 'Create an API key',
  'PUT /api/token': 'Change an API key',
  'DELETE /api/token/:id': 'Delete an API key',

  // Codes and wallet
  'GET /api/redemption': 'List redemption codes',
  'GET /api/redemption/search': 'Search redemption codes',
  'GET /api/redemption/:id': 'One redemption code',
  'POST /api/redemption': 'Create redemption codes',
  'PUT /api/redemption': 'Change a redemption code',
  'DELETE /api/redemption/:id': 'Delete a redemption code',
  'POST /api/user/topup': 'Redeem a code',
  'POST /api/user/amount': 'What an amount of quota costs the caller',
  'POST /api/user/pay': 'Begin an online top-up',
  'GET /api/user/epay/notify': 'The payment provider tells of a payment',
  'POST /api/user/epay/notify': 'The payment provider tells of a payment',

  // Usage
  'GET /api/log': 'List the usage log',
  'GET /api/log/self': 'List own usage',
  'GET /api/log/stat': 'Sums of the usage log',
  'GET /api/log/self/stat': 'Sums of own usage',
  'GET /api/log/search': 'Search the usage log',
  'GET /api/log/self/search': 'Search own usage',
  'DELETE /api/log': 'Clear log rows before a time',
  'GET /api/log/token': 'Usage of the API key that asks',
  'GET /api/data': 'Usage over time by model',
  'GET /api/data/self': 'Own usage over time by model',
  'GET /api/mj': 'List drawing tasks',
  'GET /api/mj/self': 'List own drawing tasks',
  'GET /api/task': 'List tasks',
  'GET /api/task/self': 'List own tasks',
}

/** One line on a call; `undefined` where nobody wrote one. */
export function summaryOf({ method, path }: Pick<Call, 'method' | 'path'>): string | undefined {
  return summaries[`${method} ${path.endsWith('/') ? path.slice(0, -1) : path}`]
}

/** Calls that have a summary, as `METHOD path`. */
export const summarised: readonly string[] = Object.keys(summaries)
