// The Apps Script that a partner adds to a spreadsheet: it appends a row for each delivery, once.

export const SHEET_SCRIPT = `// Adds a row for each lead. Deploy it as a web app: execute as me, access for anyone.
const COLUMNS = ['deliveryId', 'deliveryRef', 'eventType', 'payout', 'deliveredAt', 'appointmentAt'];
const LEAD_COLUMNS = [
  'fullName', 'email', 'phone', 'state', 'debtAmount',
  'tcpaConsent', 'consentTimestamp', 'leadIp', 'utmSource', 'sourceUrl',
];

function doPost(event) {
  const { type, data } = JSON.parse(event.postData.contents);
  if (type !== 'lead.delivered' && type !== 'lead.test') return respond('nothing to add');
  const lock = LockService.getScriptLock();
  lock.waitLock(10000);
  try {
    const sheet = SpreadsheetApp.getActiveSpreadsheet().getSheets()[0];
    if (sheet.getLastRow() === 0) sheet.appendRow(COLUMNS.concat(LEAD_COLUMNS));
    // A message may arrive again if the response to it was lost.
    const ids = sheet.getRange(1, 1, sheet.getLastRow(), 1);
    if (ids.createTextFinder(data.deliveryId).matchEntireCell(true).findNext() !== null) return respond('there already');
    const cells = COLUMNS.map((name) => data[name]).concat(LEAD_COLUMNS.map((name) => data.lead[name]));
    sheet.appendRow(cells.map(asText));
    return respond('added');
  } finally {
    lock.releaseLock();
  }
}

// Keeps text that a sheet would run as a formula as text.
function asText(value) {
  if (value === null || value === undefined) return '';
  return /^[=+\\-@\\t\\r]/.test(String(value)) ? "'" + value : value;
}

// If the script fails, Google responds with a web page, and the delivery counts as failed.
function respond(text) {
  const body = JSON.stringify({ ok: true, result: text });
  return ContentService.createTextOutput(body).setMimeType(ContentService.MimeType.JSON);
}
`;
