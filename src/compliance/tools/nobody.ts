/** What stands where the name of a person should, and names none; nothing at all, too. */
export const NOBODY = "|none|null|no|false|n/?a|auto|automatic|system|self|agent|bot|ai";
