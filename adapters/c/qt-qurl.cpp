/* Qt's QUrl in its strict mode (Debian: qtbase5-dev).
 * Build: c++ -fPIC -o qt-qurl qt-qurl.cpp $(pkg-config --cflags --libs Qt5Core)     Run: ./qt-qurl */
#include <QUrl>

#include "protocol.h"

static void part(const char *name, bool present, const QString &s)
{
	QByteArray bytes = s.toUtf8();
	component(name, present ? bytes.constData() : NULL, bytes.size());
}

static void answer(const char *text)
{
	QUrl u(QString::fromUtf8(text), QUrl::StrictMode);
	if (!u.isValid()) {
		reject(u.errorString().toUtf8().constData());
		return;
	}
	QString host = u.host(QUrl::FullyEncoded), userinfo = u.userInfo(QUrl::FullyEncoded);
	accept_begin();
	part("scheme", !u.scheme().isEmpty(), u.scheme());
	part("userinfo", !userinfo.isEmpty(), userinfo);
	part("host", !host.isEmpty(), host);
	part("port", u.port() >= 0, QString::number(u.port()));
	part("path", true, u.path(QUrl::FullyEncoded));
	part("query", u.hasQuery(), u.query(QUrl::FullyEncoded));
	part("fragment", u.hasFragment(), u.fragment(QUrl::FullyEncoded));
	accept_end();
}
