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
    const further = furtherCells(data.lead);
    const header = headerOf(sheet, Object.keys(further));
    // A message may arrive again if the response to it was lost.
    const ids = sheet.getRange(1, 1, sheet.getLastRow(), 1);
    if (ids.createTextFinder(data.deliveryId).matchEntireCell(true).findNext() !== null) return respond('there already');
    const cells = COLUMNS.map((name) => data[name]).concat(LEAD_COLUMNS.map((name) => data.lead[name]));
    const others = header.slice(cells.length).map((name) => further[name]);
    sheet.appendRow(cells.concat(others).map(asText));
    return respond('added');
  } finally {
    lock.releaseLock();
  }
}

// By column: parts of the name that came apart, and the fields of the lead's vertical.
function furtherCells(lead) {
  const cells = {};
  Object.keys(lead).forEach((name) => {
    if (name !== 'fields' && LEAD_COLUMNS.indexOf(name) === -1) cells[name] = lead[name];
  });
  Object.keys(lead.fields || {}).forEach((name) => (cells['fields.' + name] = lead.fields[name]));
  return cells;
}

// The first row. A field that has no column yet gets one at its end.
function headerOf(sheet, furtherColumns) {
  if (sheet.getLastRow() === 0) sheet.appendRow(COLUMNS.concat(LEAD_COLUMNS));
  const header = sheet.getRange(1, 1, 1, sheet.getLastColumn()).getValues()[0].map(String);
  furtherColumns.filter((name) => header.indexOf(name) === -1).forEach((name) => {
    header.push(name);
    sheet.getRange(1, header.length).setValue(name);
  });
  return header;
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
